import type { SandboxSetting } from '../../config/tables/file-schema.ts'

/** The folders that a command may write to. It can only read everything else. */
export type SandboxFolders = { readonly writable: readonly string[] }

/** A sandbox for commands. It is a program that runs them. */
export type Sandbox = {
  readonly name: 'bubblewrap' | 'seatbelt'
  /** False if commands have no network. */
  readonly hasNetwork: boolean
  /** The command line that runs a program in the sandbox. bubblewrap reports its namespaces to the file descriptor `report`, if one is given. */
  readonly wrap: (program: readonly string[], report?: number) => readonly string[]
}

export function hasNetwork(setting: SandboxSetting): boolean {
  return setting !== 'no-network'
}

/** A line for the model if the sandbox may have stopped a command; undefined if it did not. */
export function stoppedText({ hasNetwork }: Sandbox, output: string, exit: number): string | undefined {
  const tail = output.slice(-LOOKED_AT)
  // Also check successful commands: in `make install; ls`, only the last command sets the exit code.
  if (exit === 0 && !ERROR_LINE.test(tail)) return undefined
  if (WRITE_STOPPED.test(tail)) return `(${STOPPED} writing outside of the workspace. ${ASK_OUTSIDE})`
  if (!hasNetwork && NETWORK_STOPPED.test(tail)) return `(${STOPPED} the network. ${ASK_OUTSIDE})`
  return undefined
}

const LOOKED_AT = 20_000
const STOPPED = 'the sandbox of commands does not allow'
const ASK_OUTSIDE = 'If it has to be, call bash with outsideSandbox: true: the user is asked'
const WRITE_STOPPED = /read-only file ?system|EROFS|operation not permitted/i
const ERROR_LINE = /^\S.*: read-only file system$/im
const NETWORK_STOPPED =
  /could not resolve|name resolution|network is unreachable|ENETUNREACH|EAI_AGAIN|ENOTFOUND|no route to host|name or service not known/i
