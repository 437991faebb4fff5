import { EXIT } from './exit-codes.ts';
import { entry } from './entry.ts';

const path = 'bundle.tar.zst';

/** Errors of bundles for places without a network. */
export const bundleErrors = {
  BUNDLE_UNREADABLE: entry(EXIT.config, { path, reason: 'it ends too early' }, (p) => ({
    title: `${p.path} is no bundle that can be read`,
    message: `While reading it: ${p.reason}.`,
    hint: `Copy it once more from where it was made, and look at it: kubexm offline verify ${p.path}`,
  })),
  BUNDLE_DAMAGED: entry(
    EXIT.config,
    { path, problems: 'blobs/sha256/9f86d081884c… (kubelet 1.35.8 amd64): it is missing' },
    (p) => ({
      title: `${p.path} is not what was packaged`,
      message: `${p.problems}\nNothing of it is used.`,
      hint: `Copy it once more from where it was made, and look at it: kubexm offline verify ${p.path}`,
    }),
  ),
  BUNDLE_UNSIGNED: entry(EXIT.config, { path }, (p) => ({
    title: `The signature of ${p.path} is not one of its index`,
    message: 'Somebody has changed the index, or the signature, since it was packaged.',
    hint: 'Do not use it; ask whoever made it for another one: kubexm offline package -f cluster.yaml -o bundle.tar.zst',
  })),
  BUNDLE_KEY_UNKNOWN: entry(EXIT.config, { path, key: 'SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs' }, (p) => ({
    title: `${p.path} is signed with a key that is not known here`,
    message: `The key is ${p.key}. Compare it with what \`offline package\` told where it was made.`,
    hint: `If it is the same: kubexm offline verify ${p.path} --key ${p.key}`,
  })),
  BUNDLE_KEY_OTHER: entry(
    EXIT.config,
    { path, key: 'SHA256:9zkFCJhTf7RB2sY7fQ0y0m5b7X6l0WZc1m3o5p7q9rs', named: 'release.pub.pem' },
    (p) => ({
      title: `${p.path} is not signed with the key that was named`,
      message: `Its key is ${p.key}, and that is not ${p.named}.`,
      hint: 'Do not use it; ask whoever made it which key is theirs: ~/.kubexm/keys/bundle.pub.pem',
    }),
  ),
  BUNDLE_BASE_MISSING: entry(
    EXIT.config,
    { path, base: 'prod, Kubernetes 1.35.4', missing: 'etcd 3.6.16 amd64, registry.k8s.io/pause:3.10.1' },
    (p) => ({
      title: `${p.path} holds only what its base has not, and its base is not here`,
      message: `The base is the bundle of ${p.base}. Missing: ${p.missing}.`,
      hint: 'Name both, the base first: --offline-bundle base.tar.zst --offline-bundle bundle.tar.zst',
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
      title: `${p.path} has another ${p.item} than this machine knows`,
      message: `${p.from} told another sum for ${p.url}.`,
      hint: `Find out which one is right: kubexm offline verify ${p.path}; kubexm get artifacts -f cluster.yaml -o json`,
    }),
  ),
  COMPRESSION_MISSING: entry(EXIT.config, { path }, (p) => ({
    title: `${p.path} needs zstd, and neither this Node.js nor a program here has it`,
    message: 'Node.js has it from 22.15 on; a program of this name does as well.',
    hint: 'apt-get install zstd, or make a bundle that ends in .tar.gz',
  })),
  HARBOR_REFUSED: entry(
    EXIT.command,
    { registry: 'harbor.example.com', project: 'kubexm', reason: 'it answered 403' },
    (p) => ({
      title: `${p.registry} does not make the project ${p.project}`,
      message: `When it was asked, ${p.reason}.`,
      hint: `Make it by hand, or give a user who may: registry.auths."${p.registry}": {username, password}`,
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
      title: `Two images would be ${p.target}`,
      message: `${p.one} and ${p.other} have the same name in one project.`,
      hint: 'Leave registry.namespaceOverride and --project out: images then keep the projects of their publishers.',
    }),
  ),
};
