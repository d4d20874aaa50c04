import { decide } from '../../src/agent/permissions/decide.ts'
import type { Rules } from '../../src/agent/permissions/rule.ts'
import { viewOf } from '../../src/engine/context/view/view-of.ts'
import { factsIn } from '../../src/engine/extract/index-delta.ts'
import { framedParts, partsOfLines, textOfParts } from '../../src/engine/record/compose.ts'
import { recordLines } from '../../src/engine/record/record-lines.ts'
import { readOwnRecord } from '../../src/engine/record/record-place.ts'
import { selectLines } from '../../src/engine/record/select.ts'
import { decodeText } from '../../src/formats/index.ts'
import { FACES, messageValue, readRequest } from '../../src/gateway/faces/read-request.ts'
import { mergeIndexes } from '../../src/model/facts/log-index.ts'
import { printable } from '../../src/model/text.ts'
import { findSecrets } from '../../src/secrets/find-secrets.ts'
import { charactersByFour } from '../../src/tokens/estimate/estimator.ts'

/** Code that reads foreign text. It must neither throw, nor take longer than its text, nor break what it promises. */
export type FuzzTarget = { readonly name: string; readonly run: (text: string) => void }

export const FUZZ_TARGETS: readonly FuzzTarget[] = [
  { name: 'decode', run: (text) => void decodeText(text) },
  { name: 'record', run: renderSession },
  { name: 'read-record', run: (text) => void readOwnRecord(text) },
  { name: 'request', run: readRequests },
  { name: 'answer', run: (text) => FACES.forEach((face) => void face.answerOf(text, 3)) },
  { name: 'permission', run: decideCommand },
  { name: 'secrets', run: checkSecrets },
  { name: 'printable', run: checkPrintable },
]

/** The record of whatever session can be read from the text. It is known again when it comes back. */
function renderSession(text: string): void {
  const decoded = decodeText(text)
  if (!decoded.ok) return
  const items = viewOf(decoded.session.entries).items.slice()
  const index = mergeIndexes([factsIn(items)])
  const lines = recordLines({ index, items, shown: [], most: 4_000, isDigest: true })
  const parts = partsOfLines(selectLines(lines, 2_000, charactersByFour.text).lines)
  const record = textOfParts(framedParts({ frame: 'pith', parts, messages: items.length, standsFor: items.length }))
  if (readOwnRecord(record) === undefined) throw new Error('a record was not known again')
}

const PATHS = ['/v1/messages', '/v1/chat/completions', '/v1/responses', '/v1beta/models/m:streamGenerateContent']

function readRequests(text: string): void {
  for (const path of PATHS) {
    const read = readRequest({ method: 'POST', path, headers: {}, body: Buffer.from(text) })
    if (read === undefined) continue
    const face = FACES.find(({ name }) => name === read.face)
    const values = read.messages.map((message) => messageValue(read, message))
    face?.messagesOf(values)
  }
}

const RULES: Rules = {
  always: [],
  never: [
    { kind: 'command', pattern: 'git push *' },
    { kind: 'read', pattern: '.env' },
  ],
}
const PLACE = { workspace: '/w', home: '/h', look: { exists: () => true, below: () => ['/w/.env'] } }

function decideCommand(text: string): void {
  const { kind } = decide('full', RULES, { kind: 'command', command: text }, PLACE)
  // A line that says the forbidden words by themselves is never allowed.
  if (/^git push origin$/.test(text.trim()) && kind === 'allow') throw new Error('a never rule was passed')
}

function checkSecrets(text: string): void {
  let last = 0
  for (const { from, to } of findSecrets(text)) {
    if (from < last || to <= from || to > text.length) throw new Error(`a range that is none: ${from} to ${to}`)
    last = to
  }
}

function checkPrintable(text: string): void {
  if (/[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u202a-\u202e\u2066-\u2069]/.test(printable(text)))
    throw new Error('a control character was left')
}
