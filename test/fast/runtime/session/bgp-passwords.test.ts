import { afterEach, expect, it } from 'vitest';
import { loadCluster } from '../../../../src/config/load/load.ts';
import { resolveBgpPasswords } from '../../../../src/runtime/session/bgp-passwords.ts';

afterEach(() => void delete process.env['BGP_PASSWORD']);

const passwords = async () => resolveBgpPasswords(await loadCluster('examples/ha-kube-vip-bgp.yaml', {}));

it('BGP passwords are read by reference', async () => {
  process.env['BGP_PASSWORD'] = 'of the router';
  const found = Object.entries(await passwords()).map(([address, secret]) => [address, secret.reveal()]);
  expect(found).toEqual([['198.51.100.1', 'of the router']]);
});

it.each(['a,b', 'a:b'])('a BGP password that kube-vip would split is refused: %s', async (text) => {
  process.env['BGP_PASSWORD'] = text;
  await expect(passwords()).rejects.toMatchObject({ code: 'BGP_PASSWORD' });
});

it('a cluster without BGP has no BGP passwords', async () => {
  expect(await resolveBgpPasswords(await loadCluster('examples/ha-kube-vip.yaml', {}))).toEqual({});
});
