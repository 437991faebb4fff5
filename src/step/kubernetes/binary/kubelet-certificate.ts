import { kubernetesCertificates } from '../../../common/cluster-files.ts';
import { certificatePath, keyPath } from '../../../pki/store.ts';
import { KUBELET_SERVING } from '../../../template/kubernetes/places.ts';
import { sent } from '../../common/sent.ts';
import { defineStep, type Step } from '../../step.ts';
import { ofHost } from './certificates.ts';

/** The kubelet has a certificate by which API servers know it from others. */
export const sendKubeletCertificate = (folder: string): Step =>
  defineStep({
    name: 'kubelet.certificate',
    summary: 'Give the kubelet the certificate that it serves with',
    reversible: true,
    parts: ({ host }) => {
      const [place, name] = [kubernetesCertificates(folder), ofHost(host.name, 'kubelet')];
      return [
        sent({ localPath: certificatePath(place, name), path: KUBELET_SERVING.certificate }),
        sent({ localPath: keyPath(place, name), path: KUBELET_SERVING.key, mode: 0o600 }),
      ];
    },
  });
