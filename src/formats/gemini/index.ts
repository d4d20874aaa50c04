import { type Format, type PromptCounter, promptCounter, type TypedPrompt } from '../shared/format.ts'
import { type Fields, fields, objects } from '../shared/json.ts'
import { readGemini } from './read.ts'

/** Counts the typed prompts in the lines or the document of a chat. A rewind removes the prompts after its target. */
function countGemini(): PromptCounter {
  const typed = promptCounter(wordsIn, (document) => objects(fields(document)?.messages))
  const lines = new Map<unknown, number>()
  let rewound = new Set<TypedPrompt>()
  /** A cancelled turn is removed from the messages. If they have a summary, it replaces earlier messages, and nothing was taken back. */
  const takeBack = (kept: readonly Fields[]) => {
    if (kept.some(({ type, content }) => type === 'user' && JSON.stringify(content ?? '').includes('<state_snapshot>')))
      return
    const places = new Set(kept.map(({ id }) => lines.get(id)))
    rewound = new Set(typed.prompts().filter((prompt) => !places.has(prompt.line)))
  }
  return {
    line(line, number) {
      if (typeof line.id === 'string' && !lines.has(line.id)) lines.set(line.id, number)
      const kept = fields(line.$set)?.messages
      if (Array.isArray(kept)) return takeBack(objects(kept))
      const from = lines.get(line.$rewindTo)
      if (from !== undefined)
        rewound = new Set([...rewound, ...typed.prompts().filter((prompt) => prompt.line >= from)])
      else typed.line?.(line, number)
    },
    document: typed.document,
    prompts: () => typed.prompts().filter((prompt) => !rewound.has(prompt)),
  }
}

/** Texts of the program in the user's role: its description of the machine, and its summary. */
const PROGRAM = /^\s*(?:<session_context>|<state_snapshot>|This is the Gemini CLI\. We are setting up)/

function wordsIn({ type, content }: Fields): string[] {
  if (type !== 'user') return []
  const texts = typeof content === 'string' ? [content] : objects(content).flatMap(({ text }) => text ?? [])
  return texts.filter((text): text is string => typeof text === 'string' && !PROGRAM.test(text))
}

export const gemini = {
  name: 'gemini',
  label: 'Gemini CLI',
  detect: {
    line: (line) => 'sessionId' in line && 'projectHash' in line && !Array.isArray(line.messages),
    head: /"projectHash"\s*:|"role"\s*:\s*"model"/,
    document: (document) => Array.isArray(document.messages) && 'projectHash' in document,
    item: (item) => Array.isArray(item.parts) && (item.role === 'model' || !('id' in item)),
  },
  read: readGemini,
  prompts: countGemini,
  places: {
    folders: ['~/.gemini/tmp'],
    variables: [{ name: 'GEMINI_CLI_HOME', replaces: ['~'] }],
    // The name has the time before the beginning of the session's id.
    file: /^[^/]+\/chats\/session-(?:[^/]*-([0-9a-f]{8})|([^/]+))\.jsonl?$/,
  },
} as const satisfies Format
