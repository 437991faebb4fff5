import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { quote } from '../../connector/quote.ts';

/** A package and its download URI. */
export interface PackageUri {
  readonly package: SystemPackages['packages'][number];
  readonly uri: string;
}

/**
 * Resolves packages with all dependencies as if nothing were installed, because other hosts may have fewer packages. Uses
 * temporary package lists, so that the lists of the host stay unchanged.
 */
export const resolveScript = (names: readonly string[]): string => `set -e
export LC_ALL=C DEBIAN_FRONTEND=noninteractive
state=$(mktemp -d)
trap 'rm -rf "$state"' EXIT
mkdir -p "$state/lists/partial" "$state/archives/partial"
chmod 755 "$state"
options="-qq -o Dir::State::Lists=$state/lists -o Dir::Cache=$state -o APT::Sandbox::User=root -o Acquire::Retries=3"
apt-get $options update >&2
apt-get $options -o Dir::State::status=/dev/null -o Acquire::ForceHash=SHA256 --no-install-recommends --print-uris install -- ${names.map(quote).join(' ')}
`;

/** The packages that apt would download. */
export interface ParsedUris {
  readonly found: readonly PackageUri[];
  /** Files of packages whose repository publishes no SHA256. */
  readonly withoutChecksum: readonly string[];
}

/** Parses "'http://…/chrony_4.3-2_amd64.deb' chrony_4.3-2_amd64.deb 288684 SHA256:0b21…". */
export function parseUris(text: string): ParsedUris {
  const lines = [...text.matchAll(/^'([^']+)' (([^_\s]+)_([^_\s]+)_\S+) (\d+) *(\S*)$/gm)];
  const all = lines.map(([, uri = '', file = '', name = '', version = '', size = '', checksum = '']) => {
    const sha256 = /^SHA256:([0-9a-f]{64})$/.exec(checksum)?.[1] ?? '';
    return { package: { name, version: decodeURIComponent(version), file, sha256, size: Number(size) }, uri };
  });
  return {
    found: all.filter((one) => one.package.sha256 !== ''),
    withoutChecksum: all.filter((one) => one.package.sha256 === '').map((one) => one.package.file),
  };
}
