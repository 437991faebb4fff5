import { sh } from '../../../runner/command.ts';
import type { ImageStore } from '../shared/import-images.ts';

export const isuladImages: ImageStore = {
  runtime: 'isulad',
  has: (ref) => sh`[ -n "$(command -v isula)" ] && timeout 20 isula inspect -f '{{.image.id}}' ${ref} >/dev/null 2>&1`,
  load: (path) => sh`isula load -i ${path}`,
};
