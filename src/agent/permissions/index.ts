export { decide, mayRead } from './decide.ts'
export { NO_RULES, PERMISSION_MODES, type Rule, type Rules, ruleText } from './rule.ts'
export { addRule, type RulesPlace, readRules, removeRule, writtenRules } from './rules-file.ts'
export { suggestRule, withoutUser } from './without-user.ts'
