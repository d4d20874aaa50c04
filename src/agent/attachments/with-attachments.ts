import { existsSync } from 'node:fs'
import { attachedFile } from '../../model/text.ts'
import { type ModelInfo, modelName, type SeenFile, type UserMessage, type UserPart } from '../../model/types.ts'
import { shownCharacters } from '../shown-part.ts'
import { NO_LOG, type ToolContext } from '../tool.ts'
import { read } from '../tools/read/read.ts'
import { type FilePlace, filePlaceOf } from '../workspace.ts'

export type AttachmentDeps = {
  readonly workspace: string
  readonly info: ModelInfo
  /** False for a file that a never rule forbids to read. */
  readonly mayRead?: (path: string) => boolean
  /** Set for a text that is not the user's: it attaches no files outside of the workspace. */
  readonly insideOnly?: boolean
}

/** A message with the files that it names. `notes` are for the user. */
export type AttachedMessage = {
  readonly message: UserMessage
  readonly files: readonly SeenFile[]
  readonly notes: readonly string[]
}

const MOST_FILES = 10

/**
 * The user's message with the files that it names: `@src/a.ts` attaches the content; `@shot.png` or the path of an image
 * attaches the image. A name without a file stays text, and a note says so. Files outside of the workspace are read too, because the user named them.
 */
export async function withAttachments(text: string, deps: AttachmentDeps): Promise<AttachedMessage> {
  const parts: UserPart[] = []
  const files: SeenFile[] = []
  const notes: string[] = []
  const named = namedFiles(text)
  for (const { path, mustBeImage } of named.slice(0, MOST_FILES)) {
    const found = await attachmentOf(path, mustBeImage, deps)
    if (found === undefined) {
      if (!mustBeImage) notes.push(`Nothing is attached for @${path}: there is no such file`)
      continue
    }
    parts.push(...found.parts)
    files.push(...found.files)
    if (found.note !== undefined) notes.push(found.note)
  }
  if (named.length > MOST_FILES) notes.push(`Only the first ${MOST_FILES} files that the message names are attached`)
  const message: UserMessage = { role: 'user', content: parts.length === 0 ? text : [{ type: 'text', text }, ...parts] }
  return { message, files, notes }
}

type Attachment = { readonly parts: UserPart[]; readonly files: readonly SeenFile[]; readonly note?: string }

async function attachmentOf(path: string, mustBeImage: boolean, deps: AttachmentDeps): Promise<Attachment | undefined> {
  const place = await filePlaceOf(deps.workspace, path).catch(() => undefined)
  if (place === undefined) return undefined
  if (deps.insideOnly === true && place.outside)
    return {
      parts: [],
      files: [],
      note: `${place.shown} is not attached: a file names it, and it is outside of the workspace`,
    }
  if (deps.mayRead?.(place.shown) === false)
    return { parts: [], files: [], note: `${place.shown} is not attached: a never rule forbids to read it` }
  // The read tool gives the text, so that it has the same limits and the file counts as read.
  const output = await read.run({ path: place.real }, contextFor(place, deps))
  const { images = [], files = [], isError = false } = output
  if (isError && !mustBeImage && existsSync(place.real))
    return { parts: [], files: [], note: `Nothing is attached for @${path}: ${firstLineOf(output.text)}` }
  if (isError || (mustBeImage && images.length === 0)) return undefined
  const parts: UserPart[] = [
    { type: 'text', text: attachedFile(place.shown, output.text) },
    ...images.map(({ data, mediaType }): UserPart => ({ type: 'image', image: data, mediaType })),
  ]
  return { parts, files, note: blindNote(parts, deps.info) }
}

/** A note for the user if there are images among these parts and the model does not see them. */
export function blindNote(parts: readonly UserPart[], info: ModelInfo): string | undefined {
  if (info.input?.includes('image') === true || !parts.some(({ type }) => type === 'image')) return undefined
  return blindText(info)
}

function firstLineOf(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}

function blindText(info: ModelInfo): string {
  const name = modelName(info)
  return info.input === undefined
    ? `${name} is not known to accept images: it only learns that there is one. If it does, add input: [text, image] to it under models in the configuration`
    : `${name} does not accept images: it only learns that there is one. Choose another model with /model`
}

function contextFor({ shown, outside }: FilePlace, { workspace, info }: AttachmentDeps): ToolContext {
  return {
    workspace,
    signal: new AbortController().signal,
    env: {},
    ...NO_LOG,
    allowed: { kind: 'read', path: shown, outside },
    shownCharacters: shownCharacters(info.contextWindow),
  }
}

/** A file that a message may name. A path without `@` counts only if it is an image: people drop images on a terminal. */
type NamedFile = { readonly path: string; readonly mustBeImage: boolean }

const MENTION = /(?<=^|[\s(])@(?:"([^"\n]+)"|(\S+))/g
const IMAGE_PATH = /(?<=^|\s)(?:'([^'\n]+)'|"([^"\n]+)"|((?:\\.|[^\s'"@\\])(?:\\.|[^\s\\])*))(?=\s|$)/g
const IMAGE_NAME = /\.(?:png|jpe?g|gif|webp)$/i

/** The files that a message names, each once, in their order. */
export function namedFiles(text: string): NamedFile[] {
  const mentions = [...text.matchAll(MENTION)].map(([, quoted, plain = '']) => ({
    // A sentence may end after the name of a file.
    path: quoted ?? plain.replace(/[.,;:!?)\]]+$/, ''),
    mustBeImage: false,
  }))
  const images = [...text.matchAll(IMAGE_PATH)]
    // A terminal escapes the path of a dropped file as for a shell.
    .map(([, single, double, plain = '']) => single ?? double ?? plain.replace(/\\(.)/g, '$1'))
    .filter((path) => IMAGE_NAME.test(path))
    .map((path) => ({ path, mustBeImage: true }))
  const all = new Map([...images, ...mentions].map(({ path, mustBeImage }) => [path, mustBeImage]))
  return [...all].filter(([path]) => path !== '').map(([path, mustBeImage]) => ({ path, mustBeImage }))
}
