import { randomUUID } from 'node:crypto'
import { dirname } from 'node:path'
import { attachedFile } from '../../model/text.ts'
import type { UserPart } from '../../model/types.ts'
import type { Agent } from '../agent.ts'
import { type AttachedMessage, withAttachments } from '../attachments/with-attachments.ts'
import type { PromptFile } from '../fixed/prompt-files.ts'
import { runCall } from './run-calls.ts'

/**
 * The message for what the user typed, with the files that it names. If they typed the name of a command or a skill that is a
 * file, its text is added as the text of that file: only the line that was typed is the user's.
 */
export async function messageFor(agent: Agent, typed: string, signal: AbortSignal): Promise<AttachedMessage> {
  const { workspace, mayRead } = agent.deps
  const deps = { workspace, mayRead, info: agent.info }
  const said = await withAttachments(typed, deps)
  const own = ownCommandIn(agent.deps.prompts?.files().files ?? [], typed)
  const body = own && agent.deps.prompts?.body(own.file)
  if (own === undefined || body === undefined) return said
  const { file, args } = own
  const parts = expandedParts(body.trim(), args)
  const texts: string[] = []
  for (const part of parts) {
    // A question about it does not say that a file wants it.
    if (part.type === 'command') agent.emit({ type: 'notice', text: `${file.shown} runs: ${part.command}` })
    texts.push(part.type === 'text' ? part.text : await outputOf(agent, part.command, signal))
  }
  // The output of a command must not attach files: only the text of the file and the user's arguments name them.
  const template = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
  const named = await withAttachments(template, { ...deps, insideOnly: true })
  const text = attachedFile(file.shown, `${introduction(file)}\n\n${shortened(texts.join(''))}`)
  return {
    message: { role: 'user', content: [...partsIn(said), { type: 'text', text }, ...partsIn(named).slice(1)] },
    files: [...said.files, ...named.files, { path: file.shown, access: 'read' }],
    notes: [...said.notes, ...named.notes],
  }
}

function partsIn({ message: { content } }: AttachedMessage): readonly UserPart[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content
}

function introduction({ kind, name, file }: PromptFile): string {
  return kind === 'command'
    ? `The user called the command /${name}. Do what its text says, which is from this file:`
    : `The user called the skill ${name}. Follow it; its text is from this file.\nBase directory for this skill: ${dirname(file)}`
}

const MOST_CHARACTERS = 40_000

function shortened(text: string): string {
  return text.length <= MOST_CHARACTERS
    ? text
    : `${text.slice(0, MOST_CHARACTERS)}\n[… the rest is left out, read the file]`
}

/** Runs a command of the file as if the model had called it: by the same permissions, in the same sandbox. */
async function outputOf(agent: Agent, command: string, signal: AbortSignal): Promise<string> {
  const call = { type: 'tool-call' as const, toolCallId: randomUUID(), toolName: 'bash', input: { command } }
  const { text } = await runCall(agent, call, signal)
  return `\n$ ${command}\n${text}\n`
}

type OwnCommand = { readonly file: PromptFile; readonly args: string }

/** The command or skill that a message begins with, and its arguments. */
function ownCommandIn(files: readonly PromptFile[], typed: string): OwnCommand | undefined {
  const [, name, args = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(typed) ?? []
  const file = files.find((each) => each.name === name && each.forUser && each.hiddenBy === undefined)
  return file && { file, args: args.trim() }
}

/** A part of a command's text: words for the model, or a command whose output comes there. */
type PromptPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'command'; readonly command: string }

/**
 * The text of a command with its arguments: `$ARGUMENTS` is all of them, `$1` the first. Commands (`` !`git status` ``) are
 * found before the arguments are put in, so that an argument cannot add one.
 */
export function expandedParts(body: string, args: string): PromptPart[] {
  const words = [...args.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)].map(
    ([, double, single, plain]) => double ?? single ?? plain ?? '',
  )
  const filled = (text: string) =>
    text.replace(/\$(?:ARGUMENTS|([1-9]\d?))\b/g, (_, number?: string) =>
      number === undefined ? args : (words[Number(number) - 1] ?? ''),
    )
  return body
    .split(/(?<![\w`])!`([^`\n]+)`/)
    .map(
      (text, i): PromptPart =>
        i % 2 === 0 ? { type: 'text', text: filled(text) } : { type: 'command', command: filled(text) },
    )
    .filter((part) => part.type === 'command' || part.text !== '')
}
