import { X509Certificate } from 'node:crypto';
import { sh, type Command } from '../../runner/command.ts';

/** A certificate found on a host. */
export interface HostCertificate {
  readonly path: string;
  /** The common name: "kube-apiserver". */
  readonly subject: string;
  readonly expires: Date;
  readonly isCA: boolean;
}

/** Prints the certificates of a host and their paths, but no private keys stored in the same files. */
export const CERTIFICATES_PROBE: Command = {
  text: sh`for f in /etc/kubernetes/pki/*.crt /etc/kubernetes/pki/etcd/*.crt /etc/kubexm/etcd/ssl/* /var/lib/kubelet/pki/kubelet-client-current.pem /var/lib/kubelet/pki/kubelet-server-current.pem /var/lib/kubelet/pki/kubelet.crt; do [ ! -f "$f" ] || { echo "== $f"; sed -n '/-BEGIN CERTIFICATE-/,/-END CERTIFICATE-/p' "$f"; }; done
for f in /etc/kubernetes/*.conf; do [ -f "$f" ] && d=$(sed -n 's/^ *client-certificate-data: *//p' "$f") && [ -n "$d" ] && { echo "== $f"; printf %s "$d" | base64 -d; echo; }; done; true`
    .text,
  display: 'read certificates',
};

export function parseCertificates(text: string): readonly HostCertificate[] {
  return text
    .split(/^== /m)
    .slice(1)
    .flatMap((section) => {
      const path = section.slice(0, section.indexOf('\n'));
      const [pem] = /-----BEGIN CERTIFICATE-----[\s\S]+?-----END CERTIFICATE-----/.exec(section) ?? [];
      return pem === undefined ? [] : parseCertificate(path, pem);
    });
}

/** Skips a certificate that cannot be parsed: the component that uses it fails its own check. */
function parseCertificate(path: string, pem: string): readonly HostCertificate[] {
  try {
    const certificate = new X509Certificate(pem);
    const subject = /(?:^|\n)CN=(.+)/.exec(certificate.subject)?.[1] ?? path;
    return [{ path, subject, expires: new Date(certificate.validTo), isCA: certificate.ca }];
  } catch {
    return [];
  }
}
