/**
 * Digests of published images, by reference: a mirror cannot replace them even if their publisher is unavailable. Only
 * digests that several independent sources confirm are listed; those of other images come from their publishers.
 */
export const KNOWN_DIGESTS: Readonly<Record<string, string>> = {
  'registry.k8s.io/pause:3.9': 'sha256:7031c1b283388d2c2e09b57badb803c05ebed362dc88d84b480cc47f72a21097',
  'registry.k8s.io/pause:3.10': 'sha256:ee6521f290b2168b6e0935a181d4cff9be1ac3f505666ef0e3c98fae8199917a',
  'registry.k8s.io/pause:3.10.1': 'sha256:278fb9dbcca9518083ad1e11276933a2e96f23de604a3a08cc3c80002767d24c',
  'registry.k8s.io/pause:3.10.2': 'sha256:f548e0e8e3dc1896ca956272154dde3314e8cc4fde0a57577ee9fa1c63f5baf4',
};
