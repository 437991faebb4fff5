/** A name and a password. */
export interface RegistryLogin {
  readonly username: string;
  readonly password: string;
}

/** The file of names and passwords that docker, podman, cri-o and the kubelet read alike. */
export const registryLoginsFile = (logins: Readonly<Record<string, RegistryLogin>>): string => {
  const auths = Object.fromEntries(
    Object.entries(logins).map(([host, { username, password }]) => [
      host,
      { auth: Buffer.from(`${username}:${password}`).toString('base64') },
    ]),
  );
  return `${JSON.stringify({ auths }, null, 2)}\n`;
};
