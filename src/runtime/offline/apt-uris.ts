import type { SystemPackages } from '../../resource/bundle/bundle-index.ts';
import { quote } from '../../connector/quote.ts';

/** A package, and where its repository has it. */
export interface PackageUri {
  readonly package: SystemPackages['packages'][number];
  readonly uri: string;
}

/**
 * Asks apt for packages and all they depend on, as for a host that has nothing: other hosts may have less than this one.
 * Lists are fetched beside the host's own, which stay as they are.
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

/** What apt would fetch. */
export interface ParsedUris {
  readonly found: readonly PackageUri[];
  /** Packages whose repository tells no sha256. */
  readonly unsummed: readonly string[];
}

/** Reads "'http://…/chrony_4.3-2_amd64.deb' chrony_4.3-2_amd64.deb 288684 SHA256:0b21…". */
export function parseUris(text: string): ParsedUris {
  const lines = [...text.matchAll(/^'([^']+)' (([^_\s]+)_([^_\s]+)_\S+) (\d+) *(\S*)$/gm)];
  const all = lines.map(([, uri = '', file = '', name = '', version = '', size = '', sum = '']) => {
    const sha256 = /^SHA256:([0-9a-f]{64})$/.exec(sum)?.[1] ?? '';
    return { package: { name, version: decodeURIComponent(version), file, sha256, size: Number(size) }, uri };
  });
  return {
    found: all.filter((one) => one.package.sha256 !== ''),
    unsummed: all.filter((one) => one.package.sha256 === '').map((one) => one.package.file),
  };
}
