/** An attribute's own value: administrative items carry it flat, public ones as `{ value }`. */
export function attributeValue(attribute: unknown): unknown {
  return typeof attribute === 'object' && attribute !== null && 'value' in attribute ? attribute.value : attribute
}
