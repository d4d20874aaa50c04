import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import type { Client } from './client.ts'
import { placeClient, type RunningClient } from './run-client.ts'

/** An agent whose every start goes through `pith wrap`. */
export type WrappedRun = RunningClient & {
  /** Where Pith has its database. */
  readonly pithHome: string
  /** The process ids of the gateways that have announced themselves. */
  readonly gateways: () => readonly number[]
}

/** Prepares an agent behind `pith wrap`. `program` is the agent's own, `pith` the file of the command, `flags` are for `wrap`. */
export function wrapClient(
  client: Client,
  {
    program,
    pith,
    url,
    mode = 'answer',
    flags = [],
  }: { program: string; pith: string; url: string; mode?: ModeName; flags?: readonly string[] },
): WrappedRun {
  const pithHome = mkdtempSync(join(tmpdir(), 'pith-wrap-'))
  const { agent, compacts, setUp = client.setUp } = client.wrapped
  const start = join(pithHome, 'wrapped.sh')
  const set = `PATH='${dirname(program)}':"$PATH" PITH_HOME='${pithHome}'`
  const wrap = `'${process.execPath}' '${pith}' wrap ${['--mode', mode, ...flags].join(' ')} ${agent}`
  writeFileSync(start, `#!/bin/sh\nexport ${set}\nexec ${wrap} -- "$@"\n`)
  chmodSync(start, 0o755)
  const running = placeClient({ ...client, setUp }, { program: start, url, window: compacts.window })
  return {
    ...running,
    pithHome,
    gateways: () => readdirSync(join(pithHome, 'gateways')).map((name) => Number.parseInt(name, 10)),
    remove: () => {
      running.remove()
      rmSync(pithHome, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
