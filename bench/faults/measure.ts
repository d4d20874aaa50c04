import { readFileSync, writeFileSync } from 'node:fs'
import type { AgentEvent } from '../../src/agent/agent.ts'
import { runResult } from '../../src/cli/commands/run/print-turn.ts'
import { dollars } from '../../src/engine/report/numbers.ts'
import { agentWorld } from '../../test/support/agent-world.ts'
import { billed } from '../../test/support/model-server/billed.ts'
import { FAULTS, type NamedFault } from '../../test/support/model-server/fault-list.ts'
import { PROTOCOLS, type ProtocolName } from '../../test/support/model-server/index.ts'
import { faultTable } from './fault-table.ts'
import { stopReasonTable } from './stop-reason-table.ts'

/** How a turn ended that met one fault, once or always. */
export type FaultRow = {
  readonly fault: string
  readonly protocol: ProtocolName
  readonly often: 'once' | 'always'
  readonly requests: number
  readonly pausedMs: number
  readonly notes: number
  readonly reported: string
  readonly billed: string
  readonly reason: string
  readonly exit: number
}

/** Silence is measured in real time, so it has to be short here. */
const PATIENCE = { silenceMs: 150, firstByteMs: 1_000 }

async function measure(
  { name, says }: NamedFault,
  protocol: ProtocolName,
  often: 'once' | 'always',
): Promise<FaultRow> {
  let pausedMs = 0
  let met = 0
  const sleep = async (ms: number) => {
    pausedMs += ms
  }
  const world = await agentWorld({
    protocol,
    brain: () => (often === 'always' || met++ === 0 ? says : { text: 'Done.' }),
    modelDeps: { patience: PATIENCE, random: () => 1, sleep },
    settings: { stepLimit: 12 },
  })
  try {
    const end = await world.say('Do it.')
    return {
      fault: name,
      protocol,
      often,
      requests: world.server.requests.length,
      pausedMs,
      notes: world.events.filter(isShownToUser).length,
      reported: dollars(end.cost ?? 0),
      billed: dollars(billed(world.server.requests)),
      reason: end.reason,
      exit: runResult(end, { refused: 0, exceeded: undefined }).exitCode,
    }
  } finally {
    await world.close()
  }
}

function isShownToUser({ type }: AgentEvent): boolean {
  return type === 'retry' || type === 'notice' || type === 'compaction-ended'
}

const rows: FaultRow[] = []
for (const fault of FAULTS) {
  for (const protocol of PROTOCOLS) {
    // The beginnings of arguments cannot be sent over this protocol.
    if (protocol === 'google' && fault.name === 'cut call') continue
    for (const often of ['once', 'always'] as const) {
      rows.push(await measure(fault, protocol, often))
      process.stderr.write(`\r${rows.length} of ${FAULTS.length * PROTOCOLS.length * 2 - 2} `)
    }
  }
}
process.stderr.write('\n')
const table = [stopReasonTable(), faultTable(rows)].join('\n\n')
console.log(table)
if (process.argv.includes('--write')) {
  const path = new URL('../../docs/faults.md', import.meta.url)
  const [intro] = readFileSync(path, 'utf8').split('\n<!-- measured -->')
  writeFileSync(path, `${intro}\n<!-- measured -->\n\n${table}\n`)
}
