import { stringify } from 'smol-toml';

/** A way to a registry, as containerd goes it. */
export interface RegistryEndpoint {
  /** "https://mirror.example.com:5000" */
  readonly origin: string;
  /** What stands there before the name of an image. */
  readonly path: string;
  readonly skipVerify: boolean;
  /** Files on the host. */
  readonly ca: string | undefined;
  readonly client: { readonly cert: string; readonly key: string } | undefined;
  readonly login: { readonly username: string; readonly password: string } | undefined;
}

/** The text of hosts.toml: mirrors in their order, and at last the registry itself. */
export function containerdHosts(server: RegistryEndpoint, mirrors: readonly RegistryEndpoint[]): string {
  const host = Object.fromEntries(
    mirrors.map((way) => [urlOf(way), { capabilities: ['pull', 'resolve'], ...settingsOf(way) }]),
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
