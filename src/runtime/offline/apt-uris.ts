import type { SystemPackages } from '../../artifact/bundle/bundle-index.ts';
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

/** Reads "'http://…/chrony_4.3-2_amd64.deb' chrony_4.3-2_amd64.deb 288684 SHA256:0b21…". */
export const parseUris = (text: string): readonly PackageUri[] =>
  [...text.matchAll(/^'([^']+)' (([^_\s]+)_([^_\s]+)_\S+) (\d+) SHA256:([0-9a-f]{64})$/gm)].map(
    ([, uri = '', file = '', name = '', version = '', size = '', sha256 = '']) => ({
      package: { name, version: decodeURIComponent(version), file, sha256, size: Number(size) },
      uri,
    }),
  );
