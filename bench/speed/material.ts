import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { logOf, type Message, viewOf } from '../../src/engine.ts'
import { answerOpenCalls, decode } from '../../src/formats/index.ts'
import { pieces } from '../formats/pieces.ts'
import { conversation } from './conversation.ts'

/** The conversations to measure on. They are kept as text, so that every run gets new objects that no cache knows. */
export type Material = {
  readonly label: string
  /** The number of messages if it is made up: the place on the curve. */
  readonly size?: number
  readonly messages: number
  readonly conversations: readonly string[]
}

/** Made-up conversations by size, and the recorded sessions of the folders as one material. */
export async function materials(quick: boolean, folders: readonly string[]): Promise<Material[]> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 100_000]
  const recorded = folders.length === 0 ? [] : [await recordedMaterial(folders, quick)]
  return [...sizes.map(madeUp), ...recorded]
}

/** The conversations as new objects. */
export function fresh({ conversations }: Material): Message[][] {
  return conversations.map((text) => JSON.parse(text) as Message[])
}

export function madeUp(size: number): Material {
  const label = size.toLocaleString('en-US')
  return { label, size, messages: size, conversations: [JSON.stringify(conversation(size))] }
}

const RECORDED_IN_QUICK = 3

async function recordedMaterial(folders: readonly string[], quick: boolean): Promise<Material> {
  const files = folders.flatMap(filesIn)
  const conversations: string[] = []
  let messages = 0
  for (const path of quick ? files.slice(0, RECORDED_IN_QUICK) : files) {
    const decoded = await decode(pieces(path))
    if (!decoded.ok) continue
    const recorded = decoded.session.entries.flatMap((entry) => (entry.type === 'message' ? [entry.message] : []))
    const whole = viewOf(answerOpenCalls(logOf(recorded)))
      .items.slice()
      .map((item) => item.message)
    if (whole.length === 0) continue
    conversations.push(JSON.stringify(whole))
    messages += whole.length
  }
  return { label: `${conversations.length} recorded`, messages, conversations }
}

function filesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile() && /\.(?:jsonl?|traj)$/.test(path))
    .toSorted()
}
