import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hashOf } from '../hash-of.ts'
import { transcripts } from './modules.ts'
import type { Document } from './sample.ts'

/** Fields that a provider counts in its own way, or not as text at all. */
const NOT_TEXT = new Set(['signature', 'encrypted_content', 'data', 'originalFile', 'structuredPatch'])

const SHORTEST_TEXT = 200
const LONGEST_TEXT = 20_000

/** The texts of real agent sessions, one message each. Sessions of one project are fitted on or held out together. */
export function documentsOfSessions(folder = transcripts): Document[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(jsonl?|traj)$/.test(file))
    .toSorted()
    .flatMap((file) => textsOf(join(folder, file)))
}

function textsOf(file: string): Document[] {
  const project = basename(file).split('-')[0] ?? file
  const heldOut = hashOf(project) % 2 === 0
  const texts = new Set<string>()
  for (const value of parse(readFileSync(file, 'utf8'))) collect(value, texts)
  return [...texts].map((text) => ({
    kind: 'agent',
    source: basename(file),
    heldOut,
    text: text.slice(0, LONGEST_TEXT).toWellFormed(),
  }))
}

function parse(text: string): unknown[] {
  try {
    return [JSON.parse(text)]
  } catch {
    return text
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line) as unknown)
  }
}

function collect(value: unknown, texts: Set<string>): void {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST_TEXT) texts.add(value)
  } else if (Array.isArray(value)) {
    for (const inner of value) collect(inner, texts)
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, inner] of Object.entries(value)) if (!NOT_TEXT.has(key)) collect(inner, texts)
  }
}
