/** What a frozen world answered; `test/service/contract/record-examples.ts` asks it. */
export const recordedExamples = `{
 "operations": {
  "getToken": {
   "request": {
    "apiKey": "mfano-key",
    "apiSecret": "mfano-secret"
   },
   "answer": {
    "status": "200 OK",
    "data": {
     "access_token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ0eXAiOiJhY2Nlc3MiLCJudW1iZXIiOjIsImlhdCI6MTczNzczNjA4MCwiZXhwIjoxNzM3NzM2MzgwLCJ1cyI6MH0.mZaoS-HX2HojSimmxnO9nLComdpCGZK7cNqDxK2iwbk",
     "refresh_token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ0eXAiOiJyZWZyZXNoIiwibnVtYmVyIjoyLCJpYXQiOjE3Mzc3MzYwODAsImV4cCI6MTczNzczNzg4MCwidXMiOjB9.ziibbsechMMwy0kzWVzSYoyH4q2DpMytr4fAG-sZ2_I",
     "expires_in": 300,
     "refresh_expires_in": 1800
    }
   }
  },
  "refreshToken": {
   "request": {
    "refreshToken": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ0eXAiOiJyZWZyZXNoIiwibnVtYmVyIjoyLCJpYXQiOjE3Mzc3MzYwODAsImV4cCI6MTczNzczNzg4MCwidXMiOjB9.ziibbsechMMwy0kzWVzSYoyH4q2DpMytr4fAG-sZ2_I"
   },
   "answer": {
    "status": "200 OK",
    "data": {
     "access_token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ0eXAiOiJhY2Nlc3MiLCJudW1iZXIiOjMsImlhdCI6MTczNzczNjA4MCwiZXhwIjoxNzM3NzM2MzgwLCJ1cyI6MH0.Wc8Xh1_pzIPqTU_muo-h7Pb9S41YKV6TaumD7CecIkI",
     "refresh_token": "eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiIwMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDEiLCJ0eXAiOiJyZWZyZXNoIiwibnVtYmVyIjozLCJpYXQiOjE3Mzc3MzYwODAsImV4cCI6MTczNzczNzg4MCwidXMiOjB9.kbYJpiGKrEfxYikNocJRN_BsH1n42sqXtpawRJby2bs",
     "expires_in": 300,
     "refresh_expires_in": 1800
    }
   }
  },
  "createSubAccount": {
   "request": {
    "name": "Example Merchant Westlands",
    "email": "westlands@merchant.example",
    "phone": "254700000100",
    "user": {
     "userType": "API_USER",
     "firstName": "Jane",
     "lastName": "Mwangi",
     "username": "jane.mwangi",
     "password": "a-long-first-password",
     "roles": [
      "ADMIN"
     ],
     "email": "jane.mwangi@merchant.example"
    }
   },
   "answer": {
    "status": 201,
    "message": "Created Successfully",
    "data": {
     "uuid": "5f3d5520-49be-429a-bee2-05c2edc53cd1",
     "name": "Example Merchant Westlands",
     "phoneNumber": "254700000100",
     "email": "westlands@merchant.example",
     "uniqueReference": "1000001198",
     "environment": null,
     "createdAt": "2025-01-24T16:28:00.00000674",
     "updatedAt": "2025-01-24T16:28:00.00000674",
     "collectionCallbackUrl": null,
     "parentOrganisation": {
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "parent": true
     },
     "parent": false
    }
   }
  },
  "subscribeSubAccounts": {
   "answer": {
    "status": 201,
    "message": "Created Successfully",
    "data": {
     "uuid": "8f33f164-fbc5-4727-b47d-0a6c1982d988",
     "active": true,
     "createdAt": "2025-01-24T16:28:00.000008131",
     "updatedAt": "2025-01-24T16:28:00.000008131"
    }
   }
  },
  "deactivateSubAccounts": {
   "answer": {
    "status": 200,
    "message": "Updated Successfully",
    "data": "un-subscribed Successfully"
   }
  },
  "activateSubAccounts": {
   "answer": {
    "status": 200,
    "message": "Updated Successfully",
    "data": "subscribed Successfully"
   }
  },
  "createAllocation": {
   "request": {
    "fromOrganisationId": "00000000-0000-4000-8000-000000000001",
    "toOrganisationId": "5f3d5520-49be-429a-bee2-05c2edc53cd1",
    "amount": 10000
   },
   "answer": {
    "status": 201,
    "message": "Created Successfully",
    "data": {
     "status": "SUCCESS",
     "requestId": "7581dd66-b1bb-49af-94a8-cb58ef2feacd",
     "amount": 10000.0
    }
   }
  },
  "createDeallocation": {
   "request": {
    "fromOrganisationId": "5f3d5520-49be-429a-bee2-05c2edc53cd1",
    "toOrganisationId": "00000000-0000-4000-8000-000000000001",
    "amount": 2500
   },
   "answer": {
    "status": 201,
    "message": "Created Successfully",
    "data": {
     "status": "SUCCESS",
     "requestId": "97e31121-90a6-494b-bab1-dee280f7df58",
     "amount": 2500.0
    }
   }
  },
  "listAllocations": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "7581dd66-b1bb-49af-94a8-cb58ef2feacd",
      "amount": 10000.0
     }
    ]
   }
  },
  "listAllocationsOfParent": {
   "parameters": {
    "parentOrganisationId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "7581dd66-b1bb-49af-94a8-cb58ef2feacd",
      "amount": 10000.0
     }
    ]
   }
  },
  "listDeallocations": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "97e31121-90a6-494b-bab1-dee280f7df58",
      "amount": 2500.0
     }
    ]
   }
  },
  "listDeallocationsOfParent": {
   "parameters": {
    "parentOrganisationId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "97e31121-90a6-494b-bab1-dee280f7df58",
      "amount": 2500.0
     }
    ]
   }
  },
  "listReceivedAllocations": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "7581dd66-b1bb-49af-94a8-cb58ef2feacd",
      "amount": 10000.0
     }
    ]
   }
  },
  "listReceivedDeallocations": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "status": "SUCCESS",
      "requestId": "97e31121-90a6-494b-bab1-dee280f7df58",
      "amount": 2500.0
     }
    ]
   }
  },
  "cancelAllocation": {
   "parameters": {
    "allocationId": "0c154861-5a86-43d2-97ed-07f74b6763b1"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": "Allocation cancelled successfully"
   }
  },
  "listSubAccounts": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "uuid": "5f3d5520-49be-429a-bee2-05c2edc53cd1",
      "name": "Example Merchant Westlands",
      "phoneNumber": "254700000100",
      "email": "westlands@merchant.example",
      "uniqueReference": "1000001198",
      "environment": null,
      "createdAt": "2025-01-24T16:28:00.000006",
      "updatedAt": "2025-01-24T16:28:00.000006",
      "collectionCallbackUrl": null,
      "parent": false
     }
    ]
   }
  },
  "getWalletBreakdown": {
   "answer": [
    {
     "totalTransactions": 0.0,
     "totalStkCollection": 0.0,
     "totalPaybill": 0.0,
     "netBalance": 7500.0,
     "totalPaybillCollection": 0.0,
     "totalCollections": 0.0,
     "totalTill": 0.0,
     "organisationUuid": "5f3d5520-49be-429a-bee2-05c2edc53cd1",
     "totalSendMoney": 0.0
    }
   ]
  },
  "getWalletDetails": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": {
     "pesalinkDetails": {
      "accountNumber": "990001000001",
      "accountName": "Provider Ltd",
      "beneficiaryBank": "Example Bank",
      "remarks": "1000001"
     },
     "bankDetails": {
      "beneficiaryName": "Provider Ltd",
      "beneficiaryBank": "Example Bank",
      "beneficiaryBranch": "EXAMPLE BRANCH",
      "swiftCode": "EXMPKENA",
      "beneficiaryAccount": "990001000001",
      "remarks": "1000001"
     },
     "paybillDetails": {
      "paybillNumber": "9990001",
      "accountNumber": "1000001"
     }
    }
   }
  },
  "createCheckoutSession": {
   "request": {
    "amount": 1500,
    "currency": "KES",
    "description": "Payment for order #12345",
    "successUrl": "https://merchant.example/checkout/success",
    "cancelUrl": "https://merchant.example/checkout/cancel",
    "paymentMethods": [
     "CARD",
     "MPESA_STK"
    ],
    "externalReference": "ORDER-12345",
    "customerEmail": "customer@merchant.example",
    "customerPhone": "+254700000200",
    "paymentReference": "ORDER-12345",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs"
   },
   "answer": {
    "id": "fe058830-c949-43bb-bddc-e4f2115e3bee",
    "checkoutUrl": "{baseUrl}/session/chk_00000040S9JUDZ0EKFL",
    "checkoutRef": "CHK-20250124-000001",
    "status": "PENDING"
   },
   "callback": {
    "id": "fe058830-c949-43bb-bddc-e4f2115e3bee",
    "checkoutRef": "CHK-20250124-000001",
    "externalReference": "ORDER-12345",
    "paymentReference": "ORDER-12345",
    "status": "SUCCEEDED",
    "amount": 1500,
    "currency": "KES"
   }
  },
  "createSendMoney": {
   "request": {
    "phoneNumber": "254745362174",
    "amount": 1000,
    "currencyCode": "KSH",
    "remarks": "January wages",
    "occasion": "Wages",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "referenceId": "INV-2041"
   },
   "answer": {
    "status": 201,
    "message": "Success",
    "data": {
     "requestId": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
     "amount": 1000.0,
     "phoneNumber": "254745362174",
     "status": "PENDING"
    }
   },
   "callback": {
    "requestId": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
    "phoneNumber": "254745362174",
    "status": "SUCCESS",
    "amount": 1000.0
   }
  },
  "createTillPayment": {
   "request": {
    "businessNumber": "512345",
    "amount": 1500,
    "remarks": "Office water",
    "occasion": "January",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "referenceId": "INV-2041"
   },
   "answer": {
    "status": 201,
    "message": "Success",
    "data": {
     "requestId": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
     "accountNumber": "",
     "businessNumber": "512345",
     "amount": 1500.0,
     "status": "PENDING"
    }
   },
   "callback": {
    "accountNumber": "",
    "businessNumber": "512345",
    "requestId": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
    "amount": 1500.0,
    "status": "SUCCESS"
   }
  },
  "createPaybillPayment": {
   "request": {
    "businessNumber": "400200",
    "accountNumber": "ACC-88",
    "amount": 1500,
    "remarks": "Office water",
    "occasion": "January",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "referenceId": "INV-2041"
   },
   "answer": {
    "status": 201,
    "message": "Success",
    "data": {
     "requestId": "575986bf-1947-467f-9964-fb04cac43c06",
     "accountNumber": "ACC-88",
     "businessNumber": "400200",
     "amount": 1500.0,
     "status": "PENDING"
    }
   },
   "callback": {
    "accountNumber": "ACC-88",
    "businessNumber": "400200",
    "requestId": "575986bf-1947-467f-9964-fb04cac43c06",
    "amount": 1500.0,
    "status": "SUCCESS"
   }
  },
  "createBankPayout": {
   "request": {
    "bankCode": "0068",
    "beneficiaryName": "Jane Wanjiku Mwangi",
    "creditAccountNumber": "0123456789",
    "amount": 2500,
    "narration": "Invoice 2041",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "referenceId": "INV-2041"
   },
   "answer": {
    "status": 201,
    "message": "Success",
    "data": {
     "requestId": "f86dec17-0ae7-4461-88a9-3b4319d155d0",
     "creditAccountNumber": "0123456789",
     "beneficiaryName": "Jane Wanjiku Mwangi",
     "amount": 2500,
     "status": "PENDING"
    }
   },
   "callback": {
    "accountNumber": "0123456789",
    "businessNumber": "0068",
    "requestId": "f86dec17-0ae7-4461-88a9-3b4319d155d0",
    "amount": 2500,
    "status": "SUCCESS"
   }
  },
  "verifyBankAccount": {
   "request": {
    "bankCode": "0068",
    "accountNumber": "0123456789",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs"
   },
   "answer": {
    "status": 201,
    "message": "SUCCESS",
    "data": {
     "requestId": "7fa81d4c-6f7e-492d-9bc6-837b064f9624",
     "creditAccountNumber": "0123456789",
     "status": "PENDING",
     "amount": 0.0
    }
   },
   "callback": {
    "accountNumber": "0123456789",
    "requestId": "7fa81d4c-6f7e-492d-9bc6-837b064f9624",
    "statusCode": "00",
    "receiverName": "JANE WANJIKU MWANGI",
    "receiverAccount": "0123456789",
    "bankCode": "0068",
    "status": "Success"
   }
  },
  "createStkCollection": {
   "request": {
    "phoneNumber": "254745362174",
    "amount": 10,
    "description": "Order 12345",
    "accountReference": "ORDER12345",
    "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "currencyCode": "KSH",
    "referenceId": "INV-2041"
   },
   "answer": {
    "status": 201,
    "message": "Stk request has been accepted for request",
    "data": {
     "requestId": "28f22080-86d9-4058-9871-82ceed1eb17e",
     "phoneNumber": "0745362174",
     "requestedAmount": 10.0
    }
   },
   "callback": {
    "requestId": "28f22080-86d9-4058-9871-82ceed1eb17e",
    "status": "SUCCESS",
    "amount": 10,
    "phoneNumber": "254745362174"
   }
  },
  "getCheckoutSession": {
   "parameters": {
    "checkoutSessionId": "fe058830-c949-43bb-bddc-e4f2115e3bee"
   },
   "answer": {
    "id": "fe058830-c949-43bb-bddc-e4f2115e3bee",
    "amount": 1500,
    "currency": "KES",
    "description": "Payment for order #12345",
    "customerEmail": "customer@merchant.example",
    "customerMsisdn": "+254700000200",
    "externalRef": "ORDER-12345",
    "paymentMethods": [
     "CARD",
     "MPESA_STK"
    ],
    "merchantDisplayName": "Example Merchant Ltd",
    "merchantLogoUrl": null,
    "status": "SUCCEEDED"
   }
  },
  "getSendMoney": {
   "parameters": {
    "requestId": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "id": 1,
     "amount": 1000.0,
     "uuid": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "phoneNumber": "254745362174",
     "remarks": "January wages",
     "occasion": "Wages",
     "originatorConversationId": "6d85592a-9580-4676-ad65-f0acd143354c",
     "conversationId": "",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:28:00.000036",
     "updatedAt": "2025-01-24T16:28:02",
     "status": "SUCCESS",
     "responseCode": 0,
     "receiverName": "MERCY BARASA NJERI",
     "transactionReceipt": "SWE3G0PAK3"
    }
   }
  },
  "listSendMoney": {
   "parameters": {
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": [
     {
      "id": 1,
      "amount": 1000.0,
      "uuid": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "phoneNumber": "254745362174",
      "remarks": "January wages",
      "occasion": "Wages",
      "originatorConversationId": "6d85592a-9580-4676-ad65-f0acd143354c",
      "conversationId": "",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "createdAt": "2025-01-24T16:28:00.000036",
      "updatedAt": "2025-01-24T16:28:02",
      "status": "SUCCESS",
      "responseCode": 0,
      "receiverName": "MERCY BARASA NJERI",
      "transactionReceipt": "SWE3G0PAK3"
     }
    ]
   }
  },
  "getSendMoneyStatus": {
   "parameters": {
    "requestId": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "requestId": "dc14efdd-349e-4ec3-ac2b-ba6d2c441a8e",
     "phoneNumber": "254745362174",
     "status": "SUCCESS",
     "amount": 1000.0
    }
   }
  },
  "getTillPayment": {
   "parameters": {
    "requestId": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "id": 1,
     "amount": 1500.0,
     "uuid": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "accountNumber": "",
     "businessNumber": "512345",
     "remarks": "Office water",
     "occasion": "January",
     "originatorConversationId": "6f330af6-4be1-43f0-96e0-75b1509b4fb9",
     "conversationId": "AG_20250124_803f68de3cb16f21ac3c",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:28:00.000038",
     "updatedAt": "2025-01-24T16:28:02.000002",
     "status": "SUCCESS",
     "responseCode": 0,
     "receiverName": "MLIMA COFFEE GROWERS",
     "transactionReceipt": "SB6TYRBNFH",
     "responseDescription": "Accept the service request successfully."
    }
   }
  },
  "getTillPaymentStatus": {
   "parameters": {
    "requestId": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "accountNumber": "",
     "businessNumber": "512345",
     "requestId": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
     "amount": 1500.0,
     "status": "SUCCESS"
    }
   }
  },
  "listTillPayments": {
   "parameters": {
    "companyId": "00000000-0000-4000-8000-000000000001"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": [
     {
      "id": 1,
      "amount": 1500.0,
      "uuid": "f598ab9d-bb57-41e2-9e36-6ef456826dd7",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "accountNumber": "",
      "businessNumber": "512345",
      "remarks": "Office water",
      "occasion": "January",
      "originatorConversationId": "6f330af6-4be1-43f0-96e0-75b1509b4fb9",
      "conversationId": "AG_20250124_803f68de3cb16f21ac3c",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "createdAt": "2025-01-24T16:28:00.000038",
      "updatedAt": "2025-01-24T16:28:02.000002",
      "status": "SUCCESS",
      "responseCode": 0,
      "receiverName": "MLIMA COFFEE GROWERS",
      "transactionReceipt": "SB6TYRBNFH",
      "responseDescription": "Accept the service request successfully."
     }
    ]
   }
  },
  "listPaybillPayments": {
   "answer": {
    "status": 200,
    "message": "Success",
    "data": [
     {
      "id": 1,
      "amount": 1500.0,
      "uuid": "575986bf-1947-467f-9964-fb04cac43c06",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "accountNumber": "ACC-88",
      "businessNumber": "400200",
      "remarks": "Office water",
      "occasion": "January",
      "originatorConversationId": "5c0e58fe-dc17-4763-a0b8-e3ee1b800c54",
      "conversationId": "AG_20250124_41654e88729bba16ccc8",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "createdAt": "2025-01-24T16:28:00.000040",
      "updatedAt": "2025-01-24T16:28:02.000004",
      "status": "SUCCESS",
      "responseCode": 0,
      "receiverName": "MAJI SAFI WATER SUPPLIES",
      "responseDescription": "Accept the service request successfully.",
      "transactionReceipt": "S7C59CEM1J"
     }
    ]
   }
  },
  "getPaybillPayment": {
   "parameters": {
    "requestId": "575986bf-1947-467f-9964-fb04cac43c06"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "id": 1,
     "amount": 1500.0,
     "uuid": "575986bf-1947-467f-9964-fb04cac43c06",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "accountNumber": "ACC-88",
     "businessNumber": "400200",
     "remarks": "Office water",
     "occasion": "January",
     "originatorConversationId": "5c0e58fe-dc17-4763-a0b8-e3ee1b800c54",
     "conversationId": "AG_20250124_41654e88729bba16ccc8",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:28:00.000040",
     "updatedAt": "2025-01-24T16:28:02.000004",
     "status": "SUCCESS",
     "responseCode": 0,
     "receiverName": "MAJI SAFI WATER SUPPLIES",
     "responseDescription": "Accept the service request successfully.",
     "transactionReceipt": "S7C59CEM1J"
    }
   }
  },
  "getPaybillPaymentStatus": {
   "parameters": {
    "requestId": "575986bf-1947-467f-9964-fb04cac43c06"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "accountNumber": "ACC-88",
     "businessNumber": "400200",
     "requestId": "575986bf-1947-467f-9964-fb04cac43c06",
     "amount": 1500.0,
     "status": "SUCCESS"
    }
   }
  },
  "getBankPayout": {
   "parameters": {
    "requestId": "f86dec17-0ae7-4461-88a9-3b4319d155d0"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "uuid": "f86dec17-0ae7-4461-88a9-3b4319d155d0",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "channel": "PESALINK",
      "amount": 2500.0,
      "service_amount": 0.0,
      "transaction_fee": 0.0,
      "transaction_amount": 0.0,
      "bankCode": "0068",
      "beneficiaryName": "Jane Wanjiku Mwangi",
      "creditAccount": "0123456789",
      "currency": "KES",
      "direction": 0,
      "narration": "Invoice 2041",
      "transactionReference": "48e89cd1-236e-400b-a5bb-db6fbab7a892",
      "receiverPhoneNumber": "254700000000",
      "requestId": null,
      "status": "SUCCESS",
      "statusCode": "00",
      "statusDesc": "Success",
      "originalRequestID": null,
      "endToEndID": "db043f27-eb96-42fa-984b-c77471b0207f",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "errorCode": null,
      "errorDesc": null,
      "createdAt": "2025-01-24T16:28:00.000042",
      "updatedAt": "2025-01-24T16:28:04.000000"
     }
    ]
   }
  },
  "listBankPayouts": {
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": [
     {
      "uuid": "f86dec17-0ae7-4461-88a9-3b4319d155d0",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "channel": "PESALINK",
      "amount": 2500.0,
      "service_amount": 0.0,
      "transaction_fee": 0.0,
      "transaction_amount": 0.0,
      "bankCode": "0068",
      "beneficiaryName": "Jane Wanjiku Mwangi",
      "creditAccount": "0123456789",
      "currency": "KES",
      "direction": 0,
      "narration": "Invoice 2041",
      "transactionReference": "48e89cd1-236e-400b-a5bb-db6fbab7a892",
      "receiverPhoneNumber": "254700000000",
      "requestId": null,
      "status": "SUCCESS",
      "statusCode": "00",
      "statusDesc": "Success",
      "originalRequestID": null,
      "endToEndID": "db043f27-eb96-42fa-984b-c77471b0207f",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "errorCode": null,
      "errorDesc": null,
      "createdAt": "2025-01-24T16:28:00.000042",
      "updatedAt": "2025-01-24T16:28:04.000000"
     }
    ]
   }
  },
  "getStkCollection": {
   "parameters": {
    "requestId": "28f22080-86d9-4058-9871-82ceed1eb17e"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "id": 1,
     "uuid": "28f22080-86d9-4058-9871-82ceed1eb17e",
     "merchantRequestId": "34774-54532656-1",
     "checkoutRequestId": "ws_CO_240120251628003547",
     "phoneNumber": "0745362174",
     "description": "Order 12345",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "amount": 10,
     "status": "SUCCESS",
     "accountReference": "ORDER12345",
     "responseCode": 0,
     "responseDescription": "Success. Request accepted for processing",
     "customerMessage": "Success. Request accepted for processing",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:28:00.000046",
     "updatedAt": "2025-01-24T16:28:05.000000"
    }
   }
  },
  "getStkCollectionStatus": {
   "parameters": {
    "requestId": "28f22080-86d9-4058-9871-82ceed1eb17e"
   },
   "answer": {
    "status": 200,
    "message": "Success",
    "data": {
     "requestId": "28f22080-86d9-4058-9871-82ceed1eb17e",
     "status": "SUCCESS",
     "amount": 10,
     "phoneNumber": "0745362174"
    }
   }
  },
  "listStkCollections": {
   "answer": {
    "status": 200,
    "message": "Success",
    "data": [
     {
      "id": 1,
      "uuid": "28f22080-86d9-4058-9871-82ceed1eb17e",
      "merchantRequestId": "34774-54532656-1",
      "checkoutRequestId": "ws_CO_240120251628003547",
      "phoneNumber": "0745362174",
      "description": "Order 12345",
      "organisation": {
       "id": 1,
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "email": "merchant@mfano.example",
       "uniqueReference": "1000001",
       "createdAt": "2025-01-24T16:28:00.000000",
       "updatedAt": "2025-01-24T16:28:00.000033"
      },
      "amount": 10,
      "status": "SUCCESS",
      "accountReference": "ORDER12345",
      "responseCode": 0,
      "responseDescription": "Success. Request accepted for processing",
      "customerMessage": "Success. Request accepted for processing",
      "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "createdAt": "2025-01-24T16:28:00.000046",
      "updatedAt": "2025-01-24T16:28:05.000000"
     }
    ]
   }
  },
  "listBankCollections": {
   "answer": {
    "status": 200,
    "message": "OK",
    "data": [
     {
      "id": 1,
      "uuid": "936a3f34-1c2d-46aa-8679-f88d798fc843",
      "customerid": "32683",
      "transactionref": "SMILJZ4M4LF",
      "paymentmode": "PESALINK",
      "transactiondate": "2025-01-24",
      "accountnumber": "990001000001",
      "amount": "10000",
      "description": "Invoice 2041",
      "organisation": {
       "uuid": "00000000-0000-4000-8000-000000000001",
       "name": "Example Merchant Ltd",
       "phoneNumber": "254700000000",
       "environment": "sandbox",
       "collectionCallbackUrl": "{baseUrl}/_mfano/inbox/docs",
       "parentOrganisation": null,
       "parent": true
      },
      "createdAt": "2025-01-24T16:28:00.000049",
      "updatedAt": "2025-01-24T16:28:00.000049"
     }
    ]
   }
  },
  "getBankCollection": {
   "parameters": {
    "requestId": "936a3f34-1c2d-46aa-8679-f88d798fc843"
   },
   "answer": {
    "status": 200,
    "message": "OK",
    "data": {
     "id": 1,
     "uuid": "936a3f34-1c2d-46aa-8679-f88d798fc843",
     "customerid": "32683",
     "transactionref": "SMILJZ4M4LF",
     "paymentmode": "PESALINK",
     "transactiondate": "2025-01-24",
     "accountnumber": "990001000001",
     "amount": "10000",
     "description": "Invoice 2041",
     "organisation": {
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "environment": "sandbox",
      "collectionCallbackUrl": "{baseUrl}/_mfano/inbox/docs",
      "parentOrganisation": null,
      "parent": true
     },
     "createdAt": "2025-01-24T16:28:00.000049",
     "updatedAt": "2025-01-24T16:28:00.000049"
    }
   }
  },
  "getTanzaniaPayout": {
   "parameters": {
    "requestId": "fcec732b-3287-4dc9-bcc8-7073592df37f",
    "Device-Id": "example-device"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": {
     "id": 2,
     "amount": 1000.0,
     "uuid": "fcec732b-3287-4dc9-bcc8-7073592df37f",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "phoneNumber": "255754362174",
     "remarks": "January wages",
     "occasion": "Wages",
     "originatorConversationId": "380739e9-1cf0-4c5e-a573-67ac971a84bc",
     "conversationId": "",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:29:00.000017",
     "updatedAt": "2025-01-24T16:29:02",
     "status": "SUCCESS",
     "responseCode": 0,
     "receiverName": "BARAKA MUSHI MREMA",
     "transactionReceipt": "SCRQ2O0O5C"
    }
   }
  },
  "getTanzaniaCollection": {
   "parameters": {
    "requestId": "e576f7db-f333-418d-9933-17b0b7e953fc",
    "Device-Id": "example-device"
   },
   "answer": {
    "status": 200,
    "message": "SUCCESS",
    "data": {
     "id": 2,
     "uuid": "e576f7db-f333-418d-9933-17b0b7e953fc",
     "merchantRequestId": "59183-69836001-1",
     "checkoutRequestId": "ws_CO_240120251629006309",
     "phoneNumber": "255754362174",
     "description": "Order 12345",
     "organisation": {
      "id": 1,
      "uuid": "00000000-0000-4000-8000-000000000001",
      "name": "Example Merchant Ltd",
      "phoneNumber": "254700000000",
      "email": "merchant@mfano.example",
      "uniqueReference": "1000001",
      "createdAt": "2025-01-24T16:28:00.000000",
      "updatedAt": "2025-01-24T16:28:00.000033"
     },
     "amount": 10,
     "status": "SUCCESS",
     "accountReference": "ORDER12345",
     "responseCode": 0,
     "responseDescription": "Success. Request accepted for processing",
     "customerMessage": "Success. Request accepted for processing",
     "callbackUrl": "{baseUrl}/_mfano/inbox/docs",
     "createdAt": "2025-01-24T16:29:00.000019",
     "updatedAt": "2025-01-24T16:29:05.000000"
    }
   }
  }
 },
 "webhooks": {
  "bankCollection": {
   "id": 1,
   "uuid": "936a3f34-1c2d-46aa-8679-f88d798fc843",
   "customerid": "32683",
   "transactionref": "SMILJZ4M4LF",
   "paymentmode": "PESALINK",
   "transactiondate": "2025-01-24",
   "accountnumber": "990001000001",
   "amount": "10000",
   "description": "Invoice 2041",
   "organisation": {
    "uuid": "00000000-0000-4000-8000-000000000001",
    "name": "Example Merchant Ltd",
    "phoneNumber": "254700000000",
    "environment": "sandbox",
    "collectionCallbackUrl": "{baseUrl}/_mfano/inbox/docs",
    "parentOrganisation": null,
    "parent": true
   },
   "createdAt": "2025-01-24T16:28:00.000049",
   "updatedAt": "2025-01-24T16:28:00.000049"
  }
 }
}`
