export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** The text of config.json with registry credentials, as read by Docker, Podman, CRI-O and the kubelet. */
export const registryLoginsFile = (logins: Readonly<Record<string, RegistryLogin>>): string => {
  const auths = Object.fromEntries(
    Object.entries(logins).map(([host, { username, password }]) => [
      host,
      { auth: Buffer.from(`${username}:${password}`).toString('base64') },
    ]),
  );
  return `${JSON.stringify({ auths }, null, 2)}\n`;
};
