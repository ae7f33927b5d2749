/** How lists of the dashboard can be sorted, by their names in a page's query. Newest first unless one is given. */
export const SORTS = {
  oldest: { order_direction: 'ASC' },
  name: { order_by: 'NAME', order_direction: 'ASC' },
  nameDown: { order_by: 'NAME', order_direction: 'DESC' },
  state: { order_by: 'STATE', order_direction: 'ASC' },
  price: { order_by: 'PRICE', order_direction: 'ASC' },
  priceDown: { order_by: 'PRICE', order_direction: 'DESC' },
} as const
export type Sort = keyof typeof SORTS
