import { EnvHttpProxyAgent, fetch } from 'undici';

/** One small request to each host that a demo cluster downloads from. The checks rule out login pages and proxy errors. */
const PROBES = [
  { url: 'https://dl.k8s.io/release/v1.36.3/bin/linux/amd64/kubelet.sha256', check: isChecksum },
  {
    url: 'https://github.com/containerd/containerd/releases/download/v2.2.9/containerd-2.2.9-linux-amd64.tar.gz.sha256sum',
    check: isChecksum,
  },
  { url: 'https://registry.k8s.io/v2/', check: isRegistry },
  { url: 'https://ghcr.io/v2/', check: isRegistry },
];

/** Whether all of these hosts are reachable, through the proxy that the environment configures, if any. */
export async function upstreamIsReachable(timeoutMs = 5000) {
  const dispatcher = new EnvHttpProxyAgent();
  const signal = AbortSignal.timeout(timeoutMs);
  const results = await Promise.all(PROBES.map((probe) => succeeds(probe, { dispatcher, signal })));
  await dispatcher.destroy();
  return results.every(Boolean);
}

async function succeeds({ url, check }, options) {
  try {
    return check(await fetch(url, options).then(async (response) => ({ response, text: await response.text() })));
  } catch {
    return false;
  }
}

function isChecksum({ response, text }) {
  return response.ok && /^[0-9a-f]{64}\b/.test(text);
}

/** A registry answers at its API root, or asks for a token. */
function isRegistry({ response }) {
  return response.ok || (response.status === 401 && response.headers.has('www-authenticate'));
}
