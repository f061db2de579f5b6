/** Choices whose labels are their values, with a capital: `choices('low', 'high')`. */
export function choices<const Value extends string>(...values: readonly Value[]) {
  return values.map((value) => ({ value, label: value.charAt(0).toUpperCase() + value.slice(1) }))
}
