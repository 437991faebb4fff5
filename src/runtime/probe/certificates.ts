import { X509Certificate } from 'node:crypto';
import { sh, type Command } from '../../runner/command.ts';

/** A certificate on a host, and until when it is good. */
export interface CertificateSeen {
  readonly path: string;
  /** Of whom it tells: "kube-apiserver". */
  readonly subject: string;
  readonly ends: Date;
  readonly authority: boolean;
}

/** Prints the certificates of a host with their paths; keys that stand beside them do not travel. */
export const CERTIFICATES_QUESTION: Command = {
  text: sh`for f in /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt /etc/kubexm/etcd/ssl/* /var/lib/kubelet/pki/kubelet-client-current.pem /var/lib/kubelet/pki/kubelet-server-current.pem /var/lib/kubelet/pki/kubelet.crt; do [ ! -f "$f" ] || { echo "== $f"; sed -n '/-BEGIN CERTIFICATE-/,/-END CERTIFICATE-/p' "$f"; }; done
for f in /etc/kubernetes/*.conf; do [ -f "$f" ] && d=$(sed -n 's/^ *client-certificate-data: *//p' "$f") && [ -n "$d" ] && { echo "== $f"; printf %s "$d" | base64 -d; echo; }; done; true`
    .text,
  display: 'read the certificates',
};

export function certificatesIn(text: string): readonly CertificateSeen[] {
  return text
    .split(/^== /m)
    .slice(1)
    .flatMap((section) => {
      const path = section.slice(0, section.indexOf('\n'));
      const [pem] = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/.exec(section) ?? [];
      return pem === undefined ? [] : certificateIn(path, pem);
    });
}

/** One that cannot be read is left out: what needs it will say so louder. */
function certificateIn(path: string, pem: string): readonly CertificateSeen[] {
  try {
    const certificate = new X509Certificate(pem);
    const subject = /(?:^|\n)CN=(.+)/.exec(certificate.subject)?.[1] ?? path;
    return [{ path, subject, ends: new Date(certificate.validTo), authority: certificate.ca }];
  } catch {
    return [];
  }
}
