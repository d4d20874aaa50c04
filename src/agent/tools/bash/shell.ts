import { existsSync } from 'node:fs'

/** The shell that runs command lines: bash, or where there is none the system's own. */
export const SHELL: string = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash', '/bin/sh'].find(existsSync) ?? 'bash'
