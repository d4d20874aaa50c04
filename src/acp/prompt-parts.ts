import { isAbsolute, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { ContentBlock } from '@agentclientprotocol/sdk'
import { attachedFile } from '../model/text.ts'
import type { UserPart } from '../model/types.ts'

/** A prompt of an editor: what the user typed, and what the editor put beside it. */
export type PromptParts = { readonly text: string; readonly attached: readonly UserPart[] }

/** The typed text has the names of linked files as the terminal writes them (`@"src/a.ts"`). Contents and images come after it. */
export function promptParts(blocks: readonly ContentBlock[], workspace: string): PromptParts {
  return {
    text: blocks
      .map((block) => typedText(block, workspace))
      .join('')
      .trim(),
    attached: blocks.flatMap(attachedPart),
  }
}

function typedText(block: ContentBlock, workspace: string): string {
  if (block.type === 'text') return block.text
  if (block.type !== 'resource_link') return ''
  const path = pathIn(block.uri)
  return path === undefined ? block.uri : `@"${pathFrom(workspace, path)}"`
}

/** The path of a file of the workspace is short, as a user types it. */
function pathFrom(workspace: string, path: string): string {
  const short = relative(workspace, path)
  return short.startsWith('..') || isAbsolute(short) ? path : short
}

function attachedPart(block: ContentBlock): UserPart[] {
  if (block.type === 'image') return [{ type: 'image', image: block.data, mediaType: block.mimeType }]
  if (block.type !== 'resource') return []
  const { resource } = block
  const name = pathIn(resource.uri) ?? resource.uri
  if ('text' in resource) return [{ type: 'text', text: attachedFile(name, resource.text) }]
  if (resource.mimeType?.startsWith('image/')) {
    return [{ type: 'image', image: resource.blob, mediaType: resource.mimeType }]
  }
  return [{ type: 'text', text: attachedFile(name, '(not text: read it with a command)') }]
}

function pathIn(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined
  } catch {
    return undefined
  }
}
