import type { Sandbox, SandboxFolders } from './sandbox.ts'

/**
 * Linux: all of the file system is read-only, except for some folders. There is no process namespace: a later command can still see and end
 * what an earlier one left in the background. What belongs to a command is known by its mount namespace.
 */
export function bubblewrap({ writable }: SandboxFolders, hasNetwork: boolean): Sandbox {
  const prefix = [
    'bwrap',
    ...['--ro-bind', '/', '/', '--dev', '/dev'],
    ...writable.flatMap((folder) => ['--bind', folder, folder]),
    ...(hasNetwork ? [] : ['--unshare-net']),
    // Root could mount the file system anew, or write to a disk as a device.
    ...['--cap-drop', 'ALL', ...ROOT_KEEPS.flatMap((name) => ['--cap-add', name])],
  ]
  return {
    name: 'bubblewrap',
    hasNetwork,
    wrap: (program, report) => [
      ...prefix,
      ...(report === undefined ? [] : ['--info-fd', `${report}`]),
      '--',
      ...program,
    ],
  }
}

/** What tools of a root user need for files of others and for servers in the workspace. Others get none of it. */
const ROOT_KEEPS =
  process.getuid?.() === 0
    ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER', 'CAP_FSETID', 'CAP_SETUID', 'CAP_SETGID', 'CAP_KILL']
    : []
