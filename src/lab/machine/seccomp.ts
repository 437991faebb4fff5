/** What nothing in a machine may do, root or not: it would happen to the computer underneath. */
export const SECCOMP = JSON.stringify(
  {
    defaultAction: 'SCMP_ACT_ALLOW',
    syscalls: [
      {
        names: ['clock_settime', 'settimeofday', 'swapon', 'swapoff', 'kexec_load', 'kexec_file_load'],
        action: 'SCMP_ACT_ERRNO',
        errnoRet: 1,
      },
    ],
  },
  null,
  2,
);
