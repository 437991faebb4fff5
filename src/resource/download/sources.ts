/** A URL that may serve a file. */
export interface DownloadSource {
  readonly url: string;
  /** The host of the source. A mirror must not provide both a file and its checksum. */
  readonly host: string;
  readonly isPublisher: boolean;
}

/** Mirrors to try before the publisher. */
export interface Mirrors {
  /** URL prefix that is prepended to the host and path of the original URL; empty for none. */
  readonly mirror: string;
  readonly zone: '' | 'cn';
}

/** Returns the sources of a file, in the order in which they are tried. */
export function downloadSources(url: string, { mirror, zone }: Mirrors): readonly DownloadSource[] {
  const bare = url.replace(/^https?:\/\//, '');
  const mirrors = [
    ...(mirror === '' ? [] : [`${mirror.replace(/\/+$/, '')}/${bare}`]),
    ...(zone === 'cn' ? chineseMirrors(url, bare) : []),
  ];
  return [
    ...mirrors.map((each) => ({ url: each, host: hostOf(each), isPublisher: false })),
    { url, host: hostOf(url), isPublisher: true },
  ];
}

/** Returns the zone from the cluster file, or from KMZONE if the cluster file does not set it. */
export const effectiveZone = (zone: '' | 'cn', env = process.env): '' | 'cn' =>
  (zone || env['KMZONE']) === 'cn' ? 'cn' : '';

const hostOf = (url: string) => new URL(url).host;

function chineseMirrors(url: string, bare: string): readonly string[] {
  const docker = 'https://download.docker.com/';
  return [
    ...(url.startsWith(docker) ? [`https://mirrors.aliyun.com/docker-ce/${url.slice(docker.length)}`] : []),
    `https://files.m.daocloud.io/${bare}`,
    `https://kubekey.pek3b.qingstor.com/${bare}`,
  ];
}
