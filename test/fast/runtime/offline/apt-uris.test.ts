import { expect, it } from 'vitest';
import { parseUris } from '../../../../src/runtime/offline/apt-uris.ts';

const CHECKSUM = 'a'.repeat(64);

it('parses apt output and lists packages without SHA256', () => {
  const text = [
    'Reading package lists...',
    `'http://deb.debian.org/pool/z/zlib1g_1.2.13_amd64.deb' zlib1g_1%3a1.2.13.dfsg-1_amd64.deb 86684 SHA256:${CHECKSUM}`,
    "'http://deb.debian.org/pool/c/chrony_4.3_amd64.deb' chrony_4.3_amd64.deb 288684 MD5Sum:8e7e741807b1e1939df8f58323affdcb",
    "'file:/srv/jq_1.6_amd64.deb' jq_1.6_amd64.deb 5000 ",
    '',
  ].join('\n');
  const { found, withoutChecksum } = parseUris(text);
  expect(withoutChecksum).toEqual(['chrony_4.3_amd64.deb', 'jq_1.6_amd64.deb']);
  expect(found).toEqual([
    {
      uri: 'http://deb.debian.org/pool/z/zlib1g_1.2.13_amd64.deb',
      package: {
        name: 'zlib1g',
        version: '1:1.2.13.dfsg-1',
        file: 'zlib1g_1%3a1.2.13.dfsg-1_amd64.deb',
        sha256: CHECKSUM,
        size: 86684,
      },
    },
  ]);
});
