/** A place that has a file. */
export interface Source {
  readonly url: string;
  /** Whose word it is: a sum from here does not count for a file from here, unless it is the publisher. */
  readonly site: string;
  readonly publisher: boolean;
}

/** Which mirrors to ask before the publisher. */
export interface Mirrors {
  /** A URL that is put before host and path; empty for none. */
  readonly mirror: string;
  readonly zone: '' | 'cn';
}

/** Where to ask for a file, in order. */
export function sourcesOf(url: string, { mirror, zone }: Mirrors): readonly Source[] {
  const bare = url.replace(/^https?:\/\//, '');
  const mirrors = [
    ...(mirror === '' ? [] : [`${mirror.replace(/\/+$/, '')}/${bare}`]),
    ...(zone === 'cn' ? inChina(url, bare) : []),
  ];
  return [
    ...mirrors.map((each) => ({ url: each, site: siteOf(each), publisher: false })),
    { url, site: siteOf(url), publisher: true },
  ];
}

/** The environment decides where the file does not. */
export const zoneOf = (zone: '' | 'cn', env = process.env): '' | 'cn' => ((zone || env['KMZONE']) === 'cn' ? 'cn' : '');

const siteOf = (url: string) => new URL(url).host;

function inChina(url: string, bare: string): readonly string[] {
  const docker = 'https://download.docker.com/';
  return [
    ...(url.startsWith(docker) ? [`https://mirrors.aliyun.com/docker-ce/${url.slice(docker.length)}`] : []),
    `https://files.m.daocloud.io/${bare}`,
    `https://kubekey.pek3b.qingstor.com/${bare}`,
  ];
}
