import { sh } from '../../../runner/command.ts';
import type { ImageStore } from '../shared/import-images.ts';

export const dockerImages: ImageStore = {
  runtime: 'docker',
  has: (ref) =>
    sh`PATH=/usr/local/bin:$PATH; [ -n "$(command -v docker)" ] && timeout 20 docker image inspect ${ref} >/dev/null 2>&1`,
  load: (path) => sh`PATH=/usr/local/bin:$PATH docker load -i ${path}`,
};
