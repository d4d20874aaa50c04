import { RECALL_TEXTS } from '../../mcp/descriptions.ts'

/** The tool `recall` of a plug-in. It has no `scope` and no `session`, because an agent reads only its own session. */
export const PLUGIN_RECALL_DESCRIPTION = RECALL_TEXTS.description
export const RECALL_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: {
    handles: { type: 'string', description: RECALL_TEXTS.handles },
    search: { type: 'string', description: RECALL_TEXTS.search },
    offset: { type: 'integer', minimum: 0, description: RECALL_TEXTS.offset },
  },
} as const
