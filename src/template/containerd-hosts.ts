import { stringify } from 'smol-toml';

/** How containerd reaches a registry or mirror. */
export interface RegistryEndpoint {
  /** "https://mirror.example.com:5000" */
  readonly origin: string;
  /** Path prefix of repositories on this host. */
  readonly path: string;
  readonly skipVerify: boolean;
  /** Path on the host. */
  readonly ca: string | undefined;
  readonly client: { readonly cert: string; readonly key: string } | undefined;
  readonly login: { readonly username: string; readonly password: string } | undefined;
}

/** The text of hosts.toml: mirrors in order of preference, then the registry itself. */
export function containerdHosts(server: RegistryEndpoint, mirrors: readonly RegistryEndpoint[]): string {
  const host = Object.fromEntries(
    mirrors.map((mirror) => [urlOf(mirror), { capabilities: ['pull', 'resolve'], ...settingsOf(mirror) }]),
  );
  const all = { server: urlOf(server), ...settingsOf(server), ...(mirrors.length > 0 && { host }) };
  return `# Written by kubexm.\n${stringify(all)}`;
}

const urlOf = ({ origin, path }: RegistryEndpoint) => (path === '' ? origin : `${origin}/v2/${path}`);

const settingsOf = ({ path, skipVerify, ca, client, login }: RegistryEndpoint) => ({
  ...(path !== '' && { override_path: true }),
  ...(skipVerify && { skip_verify: true }),
  ...(ca !== undefined && { ca }),
  ...(client && { client: [[client.cert, client.key]] }),
  ...(login && { header: { authorization: `Basic ${basic(login)}` } }),
});

const basic = ({ username, password }: { readonly username: string; readonly password: string }) =>
  Buffer.from(`${username}:${password}`).toString('base64');
