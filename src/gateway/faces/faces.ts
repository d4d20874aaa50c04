import { anthropicFace } from './anthropic/anthropic-face.ts'
import type { Face, FaceName } from './face.ts'
import { geminiFace } from './gemini/gemini-face.ts'
import { openAIChatFace } from './openai-chat/openai-chat-face.ts'
import { openAIResponsesFace } from './openai-responses/openai-responses-face.ts'

/** Every protocol that the gateway reads. */
export const FACES: readonly Face[] = [anthropicFace, openAIChatFace, openAIResponsesFace, geminiFace]

/** The face of a name. */
export function faceNamed(name: FaceName): Face {
  const face = FACES.find((each) => each.name === name)
  if (face === undefined) throw new Error(`unreachable: there is no face ${name}`)
  return face
}
