/**
 * The story that all examples tell: Night Gallery sells and gives away Moonflower, token 7 of its collection Night
 * garden, in the sandbox.
 */
export const STORY = {
  organization: '0199a9e0-0a2b-7b44-8c0f-4a0b1c2d3e40',
  collection: '0199a9e0-0c3d-7a55-9d10-5b1c2d3e4f50',
  itemType: '0199a9e0-1450-7a77-9f32-6d3e4f5a6b71',
  item: '0199a9e0-1f6a-7b1f-8abc-3d5f6a7b8c91',
  listing: '0199a9e0-2b7c-7c60-8e21-6c2d3e4f5a61',
  claim: '0199a9e0-3d8e-7d71-9f32-7d3e4f5a6b72',
  purchase: '0199a9e0-4e9f-7e82-8a43-8e4f5a6b7c83',
  mintRequest: '0199a9e0-5fa0-7f93-9b54-9f5a6b7c8d94',
  transaction: '0199a9e0-5fb1-7f94-8c65-a06b7c8d9e05',
  event: '0199a9e0-6ab1-7fa4-ac65-af6b7c8d9ea5',
  alarm: '0199a9e0-70b2-7a15-bd76-b07c8d9eaf06',
  payment: '0199a9e0-8fc3-7b26-8e87-c18d9eafb017',
  suspension: '0199a9e0-9ad4-7c37-8f98-d29eafb0c128',
  request: '0199a9e0-a1e5-7d48-8a09-e3afb0c1d239',
  campaign: '0199a9e0-b2f6-7e59-9b1a-f4b0c1d2e34a',
  voucher: '0199a9e0-c307-7f6a-8c2b-a5c1d2e3f45b',
  snapshot: '0199a9e0-d418-7a7b-9d3c-b6d2e3f4a56c',
  member: '0199a9e0-e529-7b8c-8e4d-c7e3f4a5b67d',
  webhook: '0199a9e0-f63a-7c9d-9f5e-d8f4a5b6c78e',
  apiKey: '0199a9e1-074b-7dae-806f-e9a5b6c7d89f',
  import: '0199a9e1-185c-7ebf-9170-fab6c7d8e9a0',
  media: '0199a9e1-296d-7fc0-a281-abc7d8e9fab1',
  integration: '0199a9e1-3a7e-7ad1-8392-bcd8e9fab0c2',
  delivery: '0199a9e1-4b8f-7be2-94a3-cde9fab0c1d3',
  transfer: '0199a9e1-5c9a-7cf3-85b4-def0abc1d2e4',
  perk: '0199a9e1-6dab-7d04-96c5-ef01bcd2e3f5',
  /** The sandbox's network. */
  network: 31337,
  ada: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
  grace: '0x3C44CdDdB6a900fa2b585dd299e03d12FA4293BC',
  contract: '0x5FbDB2315678afecb367f032d93F642f64180aa3',
  zeroAddress: '0x0000000000000000000000000000000000000000',
  hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
} as const
