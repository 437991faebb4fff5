import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const item = 'kubelet 1.35.8 amd64';
const url = 'https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet';

/** Errors about artifacts: downloads, images and registries. */
export const artifactErrors = {
  ARTIFACT_UNAVAILABLE: entry(
    EXIT.connection,
    { item, tried: `${url}: HTTP 503\nhttps://mirror.example.com: it is an HTML page, not a Linux binary` },
    (p) => ({
      title: `Could not download ${p.item}`,
      message: `All sources failed:\n${p.tried}\nCompleted downloads are kept.`,
      hint: 'Check the network connection of this machine or set artifacts.mirror in the cluster file, then repeat the command to resume.',
    }),
  ),
  OFFLINE_MISSING: entry(EXIT.config, { item, url }, (p) => ({
    title: `${p.item} is missing and cannot be downloaded with --offline`,
    message: `Its download URL is ${p.url}.`,
    hint: 'Download all artifacts on a machine with network access: kubexm download artifacts -f cluster.yaml',
  })),
  OFFLINE_PACKAGES: entry(EXIT.config, { host: 'node1', packages: 'socat jq', system: 'debian-12' }, (p) => ({
    title: `System packages for ${p.host} are missing and cannot be downloaded with --offline`,
    message: `No loaded bundle has these packages for ${p.system}: ${p.packages}.`,
    hint: 'Install them on the host, or create a bundle that contains them: kubexm offline package -f cluster.yaml',
  })),
  OFFLINE_IMAGE: entry(
    EXIT.config,
    { host: 'node1', image: 'registry.k8s.io/pause:3.10.1', runtime: 'cri-o' },
    (p) => ({
      title: `${p.image} is missing on ${p.host} and cannot be pulled with --offline`,
      message: `${p.runtime} can only pull images from a registry, and the cluster file does not configure one.`,
      hint: 'Add a registry to the cluster: set spec.registry.type and list a host in spec.roleGroups.registry.',
    }),
  ),
  PACKAGE_SUM_MISSING: entry(EXIT.config, { host: 'node1', packages: 'chrony_4.3-2_amd64.deb' }, (p) => ({
    title: `A package repository on ${p.host} provides no SHA-256 checksums`,
    message: `Packages without a checksum cannot be added to a bundle: ${p.packages}.`,
    hint: `Find the repository and disable it: kubexm run command --nodes ${p.host} -- apt-cache policy`,
  })),
  SUM_UNKNOWN: entry(EXIT.config, { item, name: 'kubelet', why: 'its publisher could not be reached' }, (p) => ({
    title: `No checksum for ${p.item}`,
    message: `kubexm does not trust a checksum from the mirror itself, and ${p.why}.`,
    hint: `Set artifacts.overrides.${p.name}.sha256 or artifacts.checksums (a checksum file) in the cluster file, or accept unverified files from the mirror: artifacts.trustMirror: true`,
  })),
  DIGEST_UNKNOWN: entry(
    EXIT.config,
    {
      image: 'registry.k8s.io/pause:3.10.1',
      name: 'pause',
      why: 'https://registry.k8s.io/v2/pause/manifests/3.10.1: connect ECONNREFUSED',
    },
    (p) => ({
      title: `No digest for ${p.image}`,
      message: `kubexm does not trust a mirror to resolve a tag to a digest, and the publisher is unavailable:\n${p.why}`,
      hint: `Set artifacts.overrides.${p.name}.sha256, add the digest to the file in artifacts.checksums, or accept unverified images from the mirror: artifacts.trustMirror: true`,
    }),
  ),
  CHECKSUMS_AMBIGUOUS: entry(EXIT.config, { file: 'checksums.txt', name: 'kubelet', url }, (p) => ({
    title: `${p.file} has two different checksums for ${p.name}`,
    message: `Both lines match ${p.url}.`,
    hint: `Use a longer path in ${p.file} that matches only one of them, such as ${p.url.replace(/^https?:\/\//, '')}`,
  })),
  HTTP_REFUSED: entry(
    EXIT.connection,
    { url, reason: 'it redirects from HTTPS to HTTP at mirror.example.com' },
    (p) => ({
      title: 'Rejected an HTTP redirect',
      message: `${p.url}: ${p.reason}.`,
      hint: 'Use another source: set artifacts.mirror or artifacts.overrides in the cluster file.',
    }),
  ),
  REGISTRY_DENIED: entry(
    EXIT.config,
    { registry: 'registry.example.com', item: 'registry.example.com/pause:3.10' },
    (p) => ({
      title: `${p.registry} denied access`,
      message: `Access to ${p.item} requires a login; the credentials are missing or were rejected.`,
      hint: `Set the credentials in the cluster file: registry.auths."${p.registry}": {username, password}`,
    }),
  ),
  REGISTRY_UNREACHABLE: entry(
    EXIT.connection,
    { registry: 'registry.example.com', reason: 'connect ECONNREFUSED 10.0.0.9:443' },
    (p) => ({
      title: `The registry ${p.registry} is unavailable`,
      message: `The request to https://${p.registry}/v2/ from this machine failed: ${p.reason}.`,
      hint: `Test the registry: curl -v https://${p.registry}/v2/ ; for a private CA, set registry.auths."${p.registry}".certsPath`,
    }),
  ),
  IMAGE_PLATFORM_MISSING: entry(
    EXIT.config,
    { image: 'quay.io/calico/node:v3.32.2', arch: 'arm64', available: 'amd64' },
    (p) => ({
      title: `${p.image} is not available for ${p.arch}`,
      message: `Available architectures: ${p.available}.`,
      hint: `Choose another version in the cluster file, or use hosts with another architecture.`,
    }),
  ),
  PUSH_FAILED: entry(
    EXIT.command,
    {
      image: 'registry.example.com/pause:3.10',
      reason: 'the registry responded with HTTP 500: {"errors":[{"code":"UNKNOWN"}]}',
    },
    (p) => ({
      title: `Could not push ${p.image}`,
      message: `All retries failed. Last error: ${p.reason}`,
      hint: 'Check the registry log, then repeat the command to push the missing images.',
    }),
  ),
  ASSET_MISSING: entry(EXIT.command, { host: 'node3', item: 'containerd 2.2.9 amd64' }, (p) => ({
    title: `${p.item} is not in the cache on this machine`,
    message: `${p.host} needs it, but the cached file is missing or its checksum does not match.`,
    hint: 'Download it again: kubexm download artifacts -f cluster.yaml',
  })),
};
