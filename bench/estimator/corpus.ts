import { randomOf } from '../../src/eval/random.ts'
import { hashOf } from '../hash-of.ts'
import { generatedDocuments } from './documents-generated.ts'
import { documentsOfLanguages } from './documents-of-languages.ts'
import { documentsOfPackages, minifiedDocuments } from './documents-of-packages.ts'
import { documentsOfSessions } from './documents-of-sessions.ts'
import { capRuns, type Document, messagesOf, type Sample } from './sample.ts'

/** Every kind weighs about the same in the fit, however much of it there is on the machine. */
const MOST_CHARACTERS = 3_000_000

/** No single file may be most of its kind. */
const MOST_MESSAGES = 40

/** All messages. Each kind has some to fit on and some, from other sources, that are held out. */
export async function corpus(): Promise<Sample[]> {
  const packages = documentsOfPackages()
  const documents = [
    ...packages,
    ...(await minifiedDocuments(packages)),
    ...documentsOfLanguages(),
    ...generatedDocuments(),
  ]
  const cut = shuffle(documents).flatMap((document) =>
    messagesOf(document, randomOf(hashOf(document.source)), MOST_MESSAGES),
  )
  const sessions = shuffle(documentsOfSessions()).map((sample) => ({ ...sample, text: capRuns(sample.text) }))
  return capped([...cut, ...sessions])
}

function capped(samples: readonly Sample[]): Sample[] {
  const taken = new Map<string, number>()
  return samples.filter(({ kind, heldOut, text }) => {
    const key = `${kind} ${heldOut}`
    const before = taken.get(key) ?? 0
    taken.set(key, before + text.length)
    return before < MOST_CHARACTERS
  })
}

/** By name and start, so that a new document does not change which others are taken. */
function shuffle<T extends Document>(documents: readonly T[]): T[] {
  return documents
    .map((document) => ({
      document,
      order: hashOf(`${document.source} ${document.kind} ${document.text.slice(0, 80)}`),
    }))
    .toSorted((a, b) => a.order - b.order)
    .map(({ document }) => document)
}
