import { isObject } from '../../base/json.ts'
import type { AreaInAnswer } from '../scene-parts.ts'

/** True for areas as answers hold them. */
export function isArea(value: unknown): value is AreaInAnswer {
  return isObject(value) && value.metaType === 'area'
}
