/** A URL that may serve a file. */
export interface DownloadSource {
  readonly url: string;
  /** A mirror host must not supply both a file and its checksum. */
  readonly host: string;
  readonly isPublisher: boolean;
}

/** Mirrors to try before the publisher. */
export interface Mirrors {
  /** URL prefix for host and path of the original URL; empty for none. */
  readonly mirror: string;
  readonly zone: '' | 'cn';
}

/** Sources of a file in the order to try them. */
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

/** KMZONE applies when the cluster file sets no zone. */
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
