import type { UserPart } from '../../model/message/message.ts'
import { contentOfParts } from '../shared/content-of-parts.ts'
import { partsIn } from '../shared/google-parts.ts'
import type { Fields } from '../shared/json.ts'
import type { MessageFacts } from '../shared/log-builder.ts'
import type { SessionBuilder } from '../shared/session-builder.ts'

/** Appends a message of the user. Gemini CLI puts its own summary, a snapshot of the state, in the place of one. */
export function sayUser(session: SessionBuilder, parts: readonly UserPart[], facts: MessageFacts): void {
  const { log } = session
  const [only] = parts
  if (only?.type === 'text' && CONTEXT.test(only.text)) {
    log.system.push(only.text)
    session.facts.workspace ??= folderIn(only.text)
  } else if (only?.type === 'text' && parts.length === 1 && SNAPSHOT.test(only.text))
    log.compact({ summary: only.text, ...facts })
  else log.say({ role: 'user', content: contentOfParts(parts) }, facts)
}

/** True for a message in the user's role that is a summary of Gemini CLI. */
export function isSummary({ type, content }: Fields): boolean {
  const [only] = type === 'user' ? partsIn(content) : []
  return only?.type === 'text' && SNAPSHOT.test(only.text)
}

const SNAPSHOT = /^\s*<state_snapshot>/
/** Gemini CLI describes the machine to the model before the user has said anything. */
const CONTEXT = /^\s*(?:<session_context>|This is the Gemini CLI\. We are setting up the context)/
/** The folder stands only there: the file itself has a hash of it. */
const FOLDER =
  /(?:Workspace Directories:\**|working in the following directories:)\s*\n\s*- ([^\n]+)|working in the directory: ([^\n]+)/

function folderIn(context: string): string | undefined {
  const found = FOLDER.exec(context)
  return (found?.[1] ?? found?.[2])?.trim()
}
