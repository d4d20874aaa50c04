import { setImmediate } from 'node:timers/promises'
import { STATUS_PATH } from '../../src/gateway/access.ts'
import { serveGateway } from '../../src/gateway/gateway.ts'
import type { ModeName } from '../../src/gateway/modes/mode.ts'
import { modeNamed, REWRITE_POLICY } from '../../src/gateway/modes/modes.ts'
import type { PolicyPatch } from '../../src/model/policy/policy.ts'
import type { ModelInfo } from '../../src/model/types.ts'
import { openStore } from '../../src/store/open-store.ts'
import type { Store } from '../../src/store/store.ts'

export type BenchGateway = {
  readonly url: string
  readonly store: Store
  /** The lines that it logged when something went wrong. */
  readonly lines: readonly string[]
  /** How many compactions, masks and squeezes are in the logs of its sessions. */
  compactions(): Promise<number>
  /** Waits until `count` requests are recorded; returns how long the last one waited for the gateway, in milliseconds. */
  recorded(count: number): Promise<number>
  stop(): Promise<void>
}

const COMPACTING: ReadonlySet<string> = new Set(['compaction', 'mask', 'squeeze'])

type BenchGatewayOptions = {
  readonly model: Partial<ModelInfo>
  readonly path: string
  readonly clock?: () => number
  readonly policy?: PolicyPatch
  readonly summaries?: 'same-request' | 'none'
}

/** A gateway in this process before one provider, with the default settings unless others are given. */
export async function benchGateway(
  mode: ModeName,
  upstream: string,
  {
    model,
    path,
    clock = Date.now,
    policy = mode === 'rewrite' ? REWRITE_POLICY : {},
    summaries = 'same-request',
  }: BenchGatewayOptions,
): Promise<BenchGateway> {
  const store = await openStore(path, { clock })
  const lines: string[] = []
  const common = { store, key: new Uint8Array(32).fill(1), owner: 'local', holder: 'bench:1', clock }
  const gateway = await serveGateway(
    {
      ...common,
      mode: modeNamed(mode, {
        ...common,
        policy,
        summaries,
        configured: async () => [],
        modelInfo: () => model,
      }),
      workspace: '/bench',
      prefix: 'bench',
      upstreams: [{ name: 'provider', url: new URL(upstream) }],
      log: (line) => lines.push(line),
    },
    0,
  )
  return {
    url: gateway.urlOf('provider'),
    store,
    lines,
    compactions: async () => {
      const { sessions } = await store.sessions()
      const logs = await Promise.all(sessions.map(({ id }) => store.entries(id)))
      return logs.flatMap(({ entries }) => entries).filter(({ type }) => COMPACTING.has(type)).length
    },
    recorded: async (count) => {
      for (;;) {
        const reply = await fetch(`http://127.0.0.1:${gateway.port}/bench/${STATUS_PATH}`)
        const { requests, records } = (await reply.json()) as { requests: number; records: { ownMs: number }[] }
        if (requests >= count) return records.at(-1)?.ownMs ?? Number.NaN
        await setImmediate()
      }
    },
    stop: async () => {
      await gateway.stop()
      await store.close()
    },
  }
}
