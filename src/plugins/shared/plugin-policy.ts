import { loadConfig } from '../../config/read/load-config.ts'
import type { PolicyPatch } from '../../model/policy/policy.ts'

/** The policy for a folder from Pith's configuration. A configuration that cannot be read must not stop an agent: then it is the default one. */
export function pluginPolicy(folder: string): PolicyPatch {
  try {
    return loadConfig({ cwd: folder }).settings.policy
  } catch {
    return {}
  }
}
