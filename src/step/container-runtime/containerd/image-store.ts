import { sh } from '../../../runner/command.ts';
import type { ImageStore } from '../shared/import-images.ts';

/** The images of containerd that Kubernetes sees. */
export const containerdImages: ImageStore = {
  runtime: 'containerd',
  // One whose import was cut off has a name already.
  has: (ref) =>
    sh`[ -x /usr/local/bin/ctr ] && timeout 20 /usr/local/bin/ctr -n k8s.io images check -q name==${ref} 2>/dev/null | grep -qxF ${ref}`,
  load: (path) => sh`/usr/local/bin/ctr -n k8s.io images import ${path}`,
};
