import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const item = 'kubelet 1.35.8 amd64';
const url = 'https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet';

/** Errors of what a cluster needs from elsewhere: files and images. */
export const artifactErrors = {
  ARTIFACT_UNAVAILABLE: entry(
    EXIT.connection,
    { item, tried: `${url}: it answered 503\nhttps://mirror.example.com: it is a web page, not a Linux program` },
    (p) => ({
      title: `${p.item} could not be downloaded`,
      message: `Every source was tried:\n${p.tried}\nWhat is already here is kept.`,
      hint: 'Look at the network of this machine or name a mirror in artifacts.mirror; the same command then goes on.',
    }),
  ),
  OFFLINE_MISSING: entry(EXIT.config, { item, url }, (p) => ({
    title: `${p.item} is not here, and --offline forbids to fetch it`,
    message: `It would come from ${p.url}.`,
    hint: 'Fetch everything first, where there is a network: kubexm download artifacts -f cluster.yaml',
  })),
  OFFLINE_PACKAGES: entry(EXIT.config, { host: 'node1', packages: 'socat jq', system: 'debian-12' }, (p) => ({
    title: `${p.host} needs packages that are not here, and --offline forbids to fetch them`,
    message: `No bundle that was loaded brings for ${p.system}: ${p.packages}.`,
    hint: 'Make a bundle with them where there is a network: kubexm offline package -f cluster.yaml. Or install them on the host.',
  })),
  OFFLINE_IMAGE: entry(
    EXIT.config,
    { host: 'node1', image: 'registry.k8s.io/pause:3.10.1', runtime: 'cri-o' },
    (p) => ({
      title: `${p.host} does not have ${p.image}, and --offline forbids to pull it`,
      message: `${p.runtime} takes images from registries alone, and the cluster file names none that could have it.`,
      hint: 'Give the cluster a registry of its own: spec.registry.type and a host with the role registry.',
    }),
  ),
  PACKAGE_SUM_MISSING: entry(EXIT.config, { host: 'node1', packages: 'chrony_4.3-2_amd64.deb' }, (p) => ({
    title: `A repository of ${p.host} tells no SHA256 of its packages`,
    message: `What cannot be checked does not go into a bundle: ${p.packages}.`,
    hint: `Find the repository, and leave it out: kubexm run command --nodes ${p.host} -- apt-cache policy`,
  })),
  SUM_UNKNOWN: entry(EXIT.config, { item, name: 'kubelet', why: 'its publisher could not be asked' }, (p) => ({
    title: `There is no sum to check ${p.item} with`,
    message: `A mirror's own word does not count for what it serves, and ${p.why}.`,
    hint: `Give the sum in the cluster file, artifacts.overrides.${p.name}.sha256, or a file of sums, artifacts.checksums.`,
  })),
  CHECKSUMS_AMBIGUOUS: entry(EXIT.config, { file: 'checksums.txt', name: 'kubelet', url }, (p) => ({
    title: `${p.file} has two sums for ${p.name}`,
    message: `Both lines could be meant for ${p.url}.`,
    hint: `Write more of the path in its lines, as ${p.url.replace(/^https?:\/\//, '')}`,
  })),
  HTTP_REFUSED: entry(EXIT.connection, { url, reason: 'it redirects to plain text at mirror.example.com' }, (p) => ({
    title: 'A server cannot be used',
    message: `${p.url}: ${p.reason}.`,
    hint: 'Name another source in the cluster file, artifacts.mirror or artifacts.overrides.',
  })),
  REGISTRY_DENIED: entry(
    EXIT.config,
    { registry: 'registry.example.com', item: 'registry.example.com/pause:3.10' },
    (p) => ({
      title: `${p.registry} does not let us in`,
      message: `It asks for a login for ${p.item} and did not take ours, or there is none.`,
      hint: `Give one in the cluster file: registry.auths."${p.registry}": {username, password}`,
    }),
  ),
  REGISTRY_UNREACHABLE: entry(
    EXIT.connection,
    { registry: 'registry.example.com', reason: 'connect ECONNREFUSED 10.0.0.9:443' },
    (p) => ({
      title: `${p.registry} cannot be used as a registry`,
      message: `It was asked for /v2/ from this machine: ${p.reason}.`,
      hint: `Ask by hand: curl -v https://${p.registry}/v2/ ; its certificate belongs in registry.auths."${p.registry}".certsPath`,
    }),
  ),
  IMAGE_PLATFORM_MISSING: entry(
    EXIT.config,
    { image: 'quay.io/calico/node:v3.32.2', arch: 'arm64', there: 'amd64' },
    (p) => ({
      title: `${p.image} is not there for ${p.arch}`,
      message: `It is published for: ${p.there}.`,
      hint: `Choose another version in the cluster file, or hosts of another architecture.`,
    }),
  ),
  PUSH_FAILED: entry(
    EXIT.command,
    { image: 'registry.example.com/pause:3.10', reason: 'it answered 500: {"errors":[{"code":"UNKNOWN"}]}' },
    (p) => ({
      title: `${p.image} could not be pushed`,
      message: `The registry was asked a few times; the last time ${p.reason}`,
      hint: 'Look at the log of the registry; the same command then goes on with what is missing.',
    }),
  ),
  ASSET_MISSING: entry(EXIT.command, { host: 'node3', item: 'containerd 2.2.9 amd64' }, (p) => ({
    title: `${p.item} is not on this machine`,
    message: `It is to go to ${p.host}, but the cache does not have it, or not unaltered.`,
    hint: 'Fetch it again: kubexm download artifacts -f cluster.yaml',
  })),
};
