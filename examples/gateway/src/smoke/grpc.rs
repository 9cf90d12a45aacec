//! Sends the requests of the smoke test over gRPC.

use tobu::{DynamicMessage, Message, Serialize, json};
use tobu_tonic::DynamicClient;
use tobu_tonic::reflection::ReflectionClient;
use tokio_stream::StreamExt;
use tonic::transport::Channel;
use tonic::{IntoRequest, Response, Status};

use crate::proto::library::v1::library_client::LibraryClient;
use crate::proto::library::v1::*;
use crate::serve::Done;

/// Sends the requests. The library must have no books.
pub(super) async fn play(channel: Channel) -> Done {
    shelves(&mut LibraryClient::new(channel.clone())).await?;
    books(&mut LibraryClient::new(channel.clone())).await?;
    changes(&mut LibraryClient::new(channel.clone())).await?;
    covers(&mut LibraryClient::new(channel.clone())).await?;
    without_a_schema(channel).await
}

async fn shelves(client: &mut LibraryClient<Channel>) -> Done {
    println!("\nShelves");
    for (json, wanted) in [
        (
            r#"{"shelf":{"name":"shelves/fiction","theme":"Invented"}}"#,
            r#"{"name":"shelves/fiction","theme":"Invented"}"#,
        ),
        (r#"{"shelf":{"name":"shelves/science"}}"#, r#"{"name":"shelves/science"}"#),
        (r#"{"shelf":{"name":"shelves/fiction"}}"#, "AlreadyExists: shelves/fiction is there already"),
        (
            r#"{"shelf":{"name":"Fiction"}}"#,
            "InvalidArgument: \"Fiction\" is not a name like shelves/fiction",
        ),
        ("{}", "InvalidArgument: shelf is not set"),
    ] {
        check("CreateShelf", json, wanted, client.create_shelf(read::<CreateShelfRequest>(json)?).await)?;
    }
    for (json, wanted) in [
        (r#"{"shelf":"fiction"}"#, r#"{"name":"shelves/fiction","theme":"Invented"}"#),
        (r#"{"shelf":"poetry"}"#, "NotFound: there is no shelves/poetry"),
    ] {
        check("GetShelf", json, wanted, client.get_shelf(read::<GetShelfRequest>(json)?).await)?;
    }
    for (json, wanted) in [
        (
            r#"{"pageSize":1}"#,
            r#"{"shelves":[{"name":"shelves/fiction","theme":"Invented"}],"nextPageToken":"shelves/fiction"}"#,
        ),
        (r#"{"pageToken":"shelves/fiction"}"#, r#"{"shelves":[{"name":"shelves/science"}]}"#),
    ] {
        check("ListShelves", json, wanted, client.list_shelves(read::<ListShelvesRequest>(json)?).await)?;
    }
    Ok(())
}

const DUNE: &str = r#"{"name":"shelves/fiction/books/dune","title":"Dune","authors":["Frank Herbert"],"pages":412,"genre":"GENRE_FICTION","acquired":"2024-02-29T12:00:00Z"}"#;
const EMMA: &str = r#"{"name":"shelves/fiction/books/emma","title":"Emma"}"#;

async fn books(client: &mut LibraryClient<Channel>) -> Done {
    println!("\nBooks");
    for (json, wanted) in [
        (
            r#"{"parent":"shelves/fiction","bookId":"dune","book":{"title":"Dune","authors":["Frank Herbert"],"pages":412,"genre":"GENRE_FICTION","acquired":"2024-02-29T12:00:00Z"}}"#,
            DUNE,
        ),
        (r#"{"parent":"shelves/fiction","bookId":"emma","book":{"title":"Emma"}}"#, EMMA),
        (r#"{"parent":"shelves/poetry","bookId":"emma","book":{}}"#, "NotFound: there is no shelves/poetry"),
        (
            r#"{"parent":"shelves/fiction","bookId":"Emma","book":{}}"#,
            "InvalidArgument: \"Emma\" is not part of a name: a-z, 0-9 and - are",
        ),
    ] {
        check("CreateBook", json, wanted, client.create_book(read::<CreateBookRequest>(json)?).await)?;
    }
    let json = r#"{"name":"shelves/fiction/books/dune"}"#;
    check("GetBook", json, DUNE, client.get_book(read::<GetBookRequest>(json)?).await)?;
    let json = r#"{"parent":"shelves/fiction"}"#;
    let wanted = format!(r#"{{"books":[{DUNE},{EMMA}]}}"#);
    check("ListBooks", json, &wanted, client.list_books(read::<ListBooksRequest>(json)?).await)?;
    let stream = client.stream_books(read::<StreamBooksRequest>(json)?).await?.into_inner();
    let sent: Vec<_> = stream.map(|book| shown(&book.map(Response::new))).collect().await;
    same("StreamBooks", json, &[DUNE, EMMA].join(" "), &sent.join(" "))
}

async fn changes(client: &mut LibraryClient<Channel>) -> Done {
    println!("\nChanges");
    for (json, wanted) in [
        // The mask selects `pages` and `authors`, so the title of the request is ignored, and the authors are removed.
        (
            r#"{"book":{"name":"shelves/fiction/books/dune","title":"Doon","pages":500},"updateMask":"pages,authors"}"#,
            r#"{"name":"shelves/fiction/books/dune","title":"Dune","pages":500,"genre":"GENRE_FICTION","acquired":"2024-02-29T12:00:00Z"}"#,
        ),
        (
            r#"{"book":{"name":"shelves/fiction/books/emma"},"updateMask":"pages.x"}"#,
            "InvalidArgument: library.v1.Book: the path \"pages.x\" goes into library.v1.Book.pages, which is not a single message",
        ),
        (
            r#"{"book":{"name":"shelves/fiction/books/emma","title":"Emma","pages":474}}"#,
            r#"{"name":"shelves/fiction/books/emma","title":"Emma","pages":474}"#,
        ),
        (
            r#"{"book":{"name":"shelves/fiction/books/lost"}}"#,
            "NotFound: there is no shelves/fiction/books/lost",
        ),
    ] {
        check("UpdateBook", json, wanted, client.update_book(read::<UpdateBookRequest>(json)?).await)?;
    }
    let json = r#"{"name":"shelves/fiction/books/emma","otherShelf":"shelves/science"}"#;
    let wanted = r#"{"name":"shelves/science/books/emma","title":"Emma","pages":474}"#;
    check("MoveBook", json, wanted, client.move_book(read::<MoveBookRequest>(json)?).await)?;
    let gone = "NotFound: there is no shelves/fiction/books/emma";
    check("MoveBook", json, gone, client.move_book(read::<MoveBookRequest>(json)?).await)?;
    let json = r#"{"name":"shelves/science/books/emma"}"#;
    check("DeleteBook", json, "{}", client.delete_book(read::<DeleteBookRequest>(json)?).await)?;
    let gone = "NotFound: there is no shelves/science/books/emma";
    check("GetBook", json, gone, client.get_book(read::<GetBookRequest>(json)?).await)
}

async fn covers(client: &mut LibraryClient<Channel>) -> Done {
    println!("\nCovers");
    let json = r#"{"name":"shelves/fiction/books/dune"}"#;
    let none = "NotFound: there is no cover of shelves/fiction/books/dune";
    check("GetCover", json, none, client.get_cover(read::<GetCoverRequest>(json)?).await)?;
    let cover = r#"{"contentType":"image/svg+xml","data":"PHN2Zy8+"}"#;
    let set = format!(r#"{{"name":"shelves/fiction/books/dune","cover":{cover}}}"#);
    check("SetCover", &set, "{}", client.set_cover(read::<SetCoverRequest>(&set)?).await)?;
    check("GetCover", json, cover, client.get_cover(read::<GetCoverRequest>(json)?).await)
}

/// Calls a method like `grpcurl`, with the schema that the server's reflection service returns.
async fn without_a_schema(channel: Channel) -> Done {
    println!("\nWithout a schema");
    let mut server = ReflectionClient::new(channel.clone());
    same("ListServices", "", "library.v1.Library", &server.services().await?.join(" "))?;
    let pool = server.pool().await?;
    let method = pool.method("library.v1.Library.GetShelf").ok_or("no such method")?;
    let json = r#"{"shelf":"science"}"#;
    let request = DynamicMessage::from_json(&method.input(), json)?;
    let answer = DynamicClient::new(channel).unary(&method, request.into_request()).await?.into_inner();
    same("GetShelf", json, r#"{"name":"shelves/science"}"#, &json::to_string(&answer)?)
}

fn read<T: Message + for<'de> tobu::Deserialize<'de>>(json: &str) -> tobu::Result<T> {
    json::from_str(json)
}

fn check<T: Message + Serialize>(
    method: &str,
    request: &str,
    wanted: &str,
    answer: Result<Response<T>, Status>,
) -> Done {
    same(method, request, wanted, &shown(&answer))
}

/// Returns a message as JSON, or an error as its code and text.
fn shown<T: Message + Serialize>(answer: &Result<Response<T>, Status>) -> String {
    match answer {
        Ok(answer) => json::to_string(answer.get_ref()).unwrap_or_else(|error| error.to_string()),
        Err(status) => format!("{:?}: {}", status.code(), status.message()),
    }
}

fn same(method: &str, request: &str, wanted: &str, found: &str) -> Done {
    super::same(&format!("{method} {request}"), wanted, found)
}
