import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const path = 'bundle.tar.zst';

/** Errors about offline bundles. */
export const bundleErrors = {
  BUNDLE_UNREADABLE: entry(EXIT.config, { path, reason: 'unexpected end of file' }, (p) => ({
    title: `Could not read the bundle ${p.path}`,
    message: `Reading failed: ${p.reason}.`,
    hint: `Copy it again from its source, then verify it: kubexm offline verify ${p.path}`,
  })),
  BUNDLE_DAMAGED: entry(
    EXIT.config,
    { path, problems: 'blobs/sha256/9f86d081884c… (kubelet 1.35.8 amd64): missing' },
    (p) => ({
      title: `The bundle ${p.path} is corrupt`,
      message: `${p.problems}\nNothing was loaded from it.`,
      hint: `Copy it again from its source, then verify it: kubexm offline verify ${p.path}`,
    }),
  ),
  BUNDLE_UNSIGNED: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path}: the signature does not match the index`,
    message: 'The index or the signature was changed after the bundle was created.',
    hint: 'Do not use this bundle. Create a new one: kubexm offline package -f cluster.yaml -o bundle.tar.zst',
  })),
  BUNDLE_KEY_UNKNOWN: entry(EXIT.config, { path, key: 'SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs' }, (p) => ({
    title: `${p.path} is signed with an untrusted key`,
    message: `The fingerprint of the key is ${p.key}. Compare it with the fingerprint that \`offline package\` printed.`,
    hint: `If they match, trust the key: kubexm offline verify ${p.path} --key ${p.key}`,
  })),
  BUNDLE_KEY_OTHER: entry(
    EXIT.config,
    { path, key: 'SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs', expected: 'release.pub.pem' },
    (p) => ({
      title: `${p.path} is signed with a different key`,
      message: `It is signed with ${p.key}, not with ${p.expected}.`,
      hint: 'Do not use this bundle. Ask its publisher for the right key (~/.kubexm/keys/bundle.pub.pem).',
    }),
  ),
  BUNDLE_BASE_MISSING: entry(
    EXIT.config,
    { path, base: 'prod, Kubernetes 1.35.4', missing: 'etcd 3.6.16 amd64, registry.k8s.io/pause:3.10.1' },
    (p) => ({
      title: `${p.path} is a delta bundle and its base bundle is missing`,
      message: `The base bundle is the one for ${p.base}. Missing artifacts: ${p.missing}.`,
      hint: 'Load both, the base bundle first: --offline-bundle base.tar.zst --offline-bundle bundle.tar.zst',
    }),
  ),
  BUNDLE_CONTRADICTS: entry(
    EXIT.config,
    {
      path,
      item: 'kubelet 1.35.8 amd64',
      url: 'https://dl.k8s.io/release/v1.35.8/bin/linux/amd64/kubelet',
      from: 'dl.k8s.io',
    },
    (p) => ({
      title: `${p.item} in ${p.path} differs from the one on this machine`,
      message: `For ${p.url}, the checksum from ${p.from} does not match the checksum in the bundle.`,
      hint: `Compare the checksums: kubexm offline verify ${p.path}; kubexm get artifacts -f cluster.yaml -o json`,
    }),
  ),
  COMPRESSION_MISSING: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} requires zstd, which is not available`,
    message: 'Node.js 22.15 and newer include zstd; with older versions, the zstd program must be installed.',
    hint: 'Run apt-get install zstd, or use a bundle that ends in .tar.gz.',
  })),
  HARBOR_REFUSED: entry(
    EXIT.command,
    { registry: 'harbor.example.com', project: 'kubexm', reason: 'HTTP 403' },
    (p) => ({
      title: `Could not create the project ${p.project} in ${p.registry}`,
      message: `Harbor rejected the request: ${p.reason}.`,
      hint: `Create the project manually, or configure a user with permission to create projects: registry.auths."${p.registry}": {username, password}`,
    }),
  ),
  IMAGES_COLLIDE: entry(
    EXIT.config,
    {
      one: 'quay.io/metallb/controller:v1.0.0',
      other: 'docker.io/acme/controller:v1.0.0',
      target: 'harbor.example.com/kubexm/controller:v1.0.0',
    },
    (p) => ({
      title: `Two images would be pushed as ${p.target}`,
      message: `In one project, ${p.one} and ${p.other} would have the same name.`,
      hint: 'Remove registry.namespaceOverride and --project, so that images keep their original project names.',
    }),
  ),
};
