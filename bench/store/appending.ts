import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { EntryDraft } from '../../src/engine.ts'
import { openStore } from '../../src/store/index.ts'
import { median } from '../harness/timing.ts'
import { message } from '../message.ts'

/** A durable append against a bare fdatasync of the same bytes, in turn, on the same disk. */
export async function appending(folder: string): Promise<void> {
  const store = await openStore(join(folder, 'append.db'))
  const { id } = await store.createSession({ owner: 'bench', workspace: '/repo' })
  const file = openSync(join(folder, 'bare'), 'a')
  const ours: number[] = []
  const bare: number[] = []
  for (let i = 0; i < 400; i++) {
    const draft: EntryDraft = { type: 'message', message: message(i) }
    const bytes = JSON.stringify(draft)
    let start = performance.now()
    await store.append(id, [draft])
    ours.push(performance.now() - start)
    start = performance.now()
    writeSync(file, bytes)
    fdatasyncSync(file)
    bare.push(performance.now() - start)
  }
  closeSync(file)
  await store.close()
  const [append, sync] = [median(ours), median(bare)]
  console.log(
    `durable append: ${append.toFixed(3)} ms, bare fdatasync of the same bytes ${sync.toFixed(3)} ms → ${(append / sync).toFixed(2)} times`,
  )
}
