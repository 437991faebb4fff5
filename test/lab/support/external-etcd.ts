import { join } from 'node:path';
import { scriptOn, type Machine } from '../../../src/lab/machine/machine.ts';
import { run } from '../../../src/lab/run.ts';
import type { Lab } from '../../../src/lab/up.ts';
import { MIRROR } from '../built-mirror.ts';

const VERSION = 'v3.6.16';

/** Starts an external etcd with TLS on a machine outside the cluster, and returns the `etcd` block for the cluster file. */
export async function externalEtcd(lab: Lab, machine: Machine): Promise<object> {
  const pki = join(lab.paths.folder, 'external-etcd');
  await run(['sh', '-euc', certificates(pki, machine.address)]);
  const name = `etcd-${VERSION}-linux-amd64`;
  const archive = join(MIRROR, `github.com/etcd-io/etcd/releases/download/${VERSION}/${name}.tar.gz`);
  const there = `ssh -F ${lab.paths.sshConfig} -o BatchMode=yes ${machine.name}`;
  const unpack = `mkdir -p /opt/etcd && tar xz -C /opt/etcd --strip-components=1 ${name}/etcd`;
  await run(['sh', '-euc', `${there} '${unpack}' <${archive}; tar c -C ${pki} . | ${there} tar x -C /opt/etcd`]);
  await scriptOn(machine, START(machine.address));
  return {
    type: 'external',
    external: {
      endpoints: [`https://${machine.address}:2379`],
      caFile: join(pki, 'ca.crt'),
      certFile: join(pki, 'client.crt'),
      keyFile: join(pki, 'client.key'),
    },
  };
}

const certificates = (pki: string, address: string) => `mkdir -p ${pki}; cd ${pki}
new() { openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $1.key; }
new ca; openssl req -x509 -new -key ca.key -subj /CN=external-etcd -days 30 -out ca.crt
printf 'subjectAltName=IP:${address}\\nextendedKeyUsage=serverAuth,clientAuth\\n' >names
for one in server client; do
  new $one; openssl req -new -key $one.key -subj /CN=$one -out $one.csr
  openssl x509 -req -in $one.csr -CA ca.crt -CAkey ca.key -CAcreateserial -days 30 -extfile names -out $one.crt 2>/dev/null
done`;

const START = (address: string) => `systemd-run -q --unit external-etcd -p Type=notify /opt/etcd/etcd \
  --name external --data-dir /run/external-etcd --client-cert-auth --trusted-ca-file /opt/etcd/ca.crt \
  --cert-file /opt/etcd/server.crt --key-file /opt/etcd/server.key \
  --listen-client-urls https://${address}:2379 --advertise-client-urls https://${address}:2379 \
  --listen-peer-urls http://127.0.0.1:2380 --initial-advertise-peer-urls http://127.0.0.1:2380 \
  --initial-cluster external=http://127.0.0.1:2380`;
